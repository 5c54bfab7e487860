import { isIP } from 'node:net'

/** Somebody at a door, as far as it takes to tell where they come from. */
export type Comer = {
  /** By its name in small letters. */
  readonly header: (name: string) => string | undefined
  /** The address at the other end of the socket. */
  readonly peer: () => string | undefined
}

/**
 * Where a request comes from, as a name to count under. `X-Forwarded-For` is believed only as far as our own proxies wrote it:
 * what stands further left is whatever the client liked to send.
 */
export function remoteAddress(comer: Comer, trustedProxies: number): string {
  return network(forwarded(comer, trustedProxies) ?? comer.peer() ?? '')
}

function forwarded(comer: Comer, trustedProxies: number): string | undefined {
  if (trustedProxies === 0) return undefined
  const entry = comer.header('x-forwarded-for')?.split(',').at(-trustedProxies)?.trim() ?? ''
  // some proxies write the port along
  const [, bare = entry] =
    /^\[([^\]]*)\](?::\d+)?$/.exec(entry) ?? /^([^:]*):\d+$/.exec(entry) ?? []
  return isIP(bare) === 0 ? undefined : bare
}

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

// one home or machine of IPv6 has 2^64 addresses: whoever counts single ones counts nothing
function network(address: string): string {
  const plain = MAPPED.exec(address)?.[1] ?? address.replace(/%.*$/, '')
  return isIP(plain) === 6 ? `${groups(plain).slice(0, 4).join(':')}::/64` : plain
}

function groups(address: string): readonly string[] {
  const [head = '', tail] = address.split('::')
  const [before, after] = [head, tail ?? ''].map((part) =>
    part === '' ? [] : part.split(':'),
  ) as [string[], string[]]
  const gap = tail === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...Array<string>(Math.max(gap, 0)).fill('0'), ...after].map((group) =>
    Number.parseInt(group, 16).toString(16),
  )
}

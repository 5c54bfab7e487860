import { isIP } from 'node:net'
import type { Visit } from './visit.ts'

/**
 * Where a request comes from, as a name to count under. `X-Forwarded-For` is believed only as far as our own proxies wrote it:
 * what stands further left is whatever the client liked to send.
 */
export function remoteAddress(visit: Visit, trustedProxies: number): string {
  return network(forwarded(visit, trustedProxies) ?? visit.peer() ?? '')
}

function forwarded(visit: Visit, trustedProxies: number): string | undefined {
  if (trustedProxies === 0) return undefined
  const entry = visit.header('x-forwarded-for')?.split(',').at(-trustedProxies)?.trim() ?? ''
  // some proxies write the port along
  const [, bare = entry] = /^\[([^\]]*)\](?::\d+)?$/.exec(entry) ?? /^([^:]*):\d+$/.exec(entry) ?? []
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
  const [before, after] = [head, tail ?? ''].map((part) => (part === '' ? [] : part.split(':'))) as [string[], string[]]
  const gap = tail === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...Array<string>(Math.max(gap, 0)).fill('0'), ...after].map((group) => Number.parseInt(group, 16).toString(16))
}

import { isIP } from 'node:net'

/** The client of a request, as far as its address is concerned. */
export type RemoteClient = {
  /** The value of a header, by its name in lower case. */
  readonly header: (name: string) => string | undefined
  /** The address at the other end of the socket. */
  readonly peerAddress: () => string | undefined
}

/**
 * The address that a client's requests are counted under. `X-Forwarded-For` is read only as far as
 * trusted proxies wrote it: every entry further left is whatever the client chose to send.
 */
export function remoteAddress(client: RemoteClient, trustedProxies: number): string {
  return networkOf(clientAddress(client, trustedProxies))
}

/** The address of a client as it is; empty where it is not known. */
export function clientAddress(client: RemoteClient, trustedProxies: number): string {
  const address = forwardedAddress(client, trustedProxies) ?? client.peerAddress() ?? ''
  if (!address.includes(':')) return address
  return MAPPED.exec(address)?.[1] ?? address.replace(/%.*$/, '')
}

function forwardedAddress(client: RemoteClient, trustedProxies: number): string | undefined {
  if (trustedProxies === 0) return undefined
  const entry = client.header('x-forwarded-for')?.split(',').at(-trustedProxies)?.trim() ?? ''
  // Some proxies append the port.
  const [, bare = entry] =
    /^\[([^\]]*)\](?::\d+)?$/.exec(entry) ?? /^([^:]*):\d+$/.exec(entry) ?? []
  return isIP(bare) === 0 ? undefined : bare
}

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

// An IPv6 client usually controls a whole /64, 2^64 addresses: counting single addresses would
// limit nothing.
function networkOf(address: string): string {
  return isIP(address) === 6 ? `${expandGroups(address).slice(0, 4).join(':')}::/64` : address
}

function expandGroups(address: string): readonly string[] {
  const [head = '', tail] = address.split('::')
  const [before, after] = [head, tail ?? ''].map((part) =>
    part === '' ? [] : part.split(':'),
  ) as [string[], string[]]
  const gap = tail === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...Array<string>(Math.max(gap, 0)).fill('0'), ...after].map((group) =>
    Number.parseInt(group, 16).toString(16),
  )
}

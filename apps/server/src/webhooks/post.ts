import { type LookupAddress, lookup } from 'node:dns'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BlockList, isIP } from 'node:net'

export type Posted = { readonly status: number } | { readonly trouble: string }

export type Post = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly timeoutMs: number
  /** Hosts in our own networks that may be written to all the same. */
  readonly privateHosts: readonly string[]
}

const OURS = new BlockList()
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  OURS.addSubnet(net, prefix, 'ipv4')
for (const [net, prefix] of [
  ['::', 127],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  OURS.addSubnet(net, prefix, 'ipv6')

/** Sends once, to the address that was looked at and no other: no redirects, nothing in our own networks, an answer nobody reads. */
export function post({ url, headers, body, timeoutMs, privateHosts }: Post): Promise<Posted> {
  const { protocol, hostname, host } = new URL(url)
  const mayBeOurs = privateHosts.includes(hostname) || privateHosts.includes(host)
  const bare = hostname.replace(/^\[|\]$/g, '')
  if (isIP(bare) !== 0 && !mayBeOurs && isOurs(bare)) return Promise.resolve({ trouble: `${hostname} is in a network of our own` })
  return new Promise((resolve) => {
    const send = protocol === 'https:' ? httpsRequest : httpRequest
    const signal = AbortSignal.timeout(timeoutMs)
    const sent = send(url, { method: 'POST', headers, signal, lookup: mayBeOurs ? lookup : outside }, (response) => {
      response.resume()
      resolve({ status: response.statusCode ?? 0 })
    })
    sent.on('error', (error) => resolve({ trouble: error.message }))
    sent.end(body)
  })
}

function isOurs(address: string): boolean {
  return OURS.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

type Found = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void

// what is looked at is what is connected to: a name that answers otherwise a moment later gains nothing
function outside(hostname: string, options: object, found: Found): void {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return found(error, [])
    const allowed = addresses.filter(({ address }) => !isOurs(address))
    const [first] = allowed
    if (first === undefined) return found(new Error(`${hostname} is in a network of our own`), [])
    if ('all' in options && options.all === true) found(null, allowed)
    else found(null, first.address, first.family)
  })
}

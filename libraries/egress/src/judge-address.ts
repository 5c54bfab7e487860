import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { SPECIAL_RANGES, type SpecialRange } from './special-ranges.ts'

export type Judged = Pick<SpecialRange, 'standing' | 'what'> & {
  /** In its one canonical spelling; what is IPv4 in an IPv6 coat is spelled as IPv4. */
  readonly address: string
}

type Bytes = readonly number[]
type Row = SpecialRange & { readonly network: Bytes; readonly prefix: number }

const ROWS: readonly Row[] = SPECIAL_RANGES.map((row) => {
  const [network, prefix] = ipaddr.parseCIDR(row.range)
  return { ...row, network: network.toByteArray(), prefix }
}).toSorted((one, other) => other.prefix - one.prefix)

/** Whether an address may be connected to, and what it is. What is no address is closed. */
export function judgeAddress(text: string): Judged {
  // a zone says which of our own interfaces to go out by
  if (isIP(text) === 0 || text.includes('%'))
    return { address: text, standing: 'closed', what: 'no address' }
  return { address: canonical(text), ...judge(ipaddr.parse(inHex(text)).toByteArray()) }
}

/** Whether two spellings are of one address. */
export function isSameAddress(one: string, other: string): boolean {
  if ([one, other].some((text) => isIP(text) === 0 || text.includes('%'))) return false
  return canonical(one) === canonical(other)
}

function canonical(text: string): string {
  return ipaddr.process(inHex(text)).toString()
}

// ipaddr.js takes the compatible ::127.0.0.1, which is how the C library spells ::7f00:1, for the mapped ::ffff:127.0.0.1
function inHex(text: string): string {
  return isIP(text) === 6 ? new URL(`http://[${text}]`).hostname.slice(1, -1) : text
}

function judge(bytes: Bytes): Omit<Judged, 'address'> {
  const row = ROWS.find((candidate) => isWithin(bytes, candidate))
  if (row === undefined) return { standing: 'closed', what: 'no address' }
  const inside = carried(bytes, row).map((one) => ({ text: one.join('.'), ...judge(one) }))
  const worst =
    inside.find(({ standing }) => standing === 'closed') ??
    inside.find(({ standing }) => standing === 'private')
  if (worst === undefined) return { standing: row.standing, what: row.what }
  // a form that is closed is closed, however harmless its load
  return {
    standing: row.standing === 'closed' ? 'closed' : worst.standing,
    what: `${worst.text} inside, ${worst.what}`,
  }
}

function isWithin(bytes: Bytes, { network, prefix }: Row): boolean {
  if (bytes.length !== network.length) return false
  return network.every((byte, index) => {
    const bits = Math.min(8, Math.max(0, prefix - index * 8))
    return (byte ^ (bytes[index] ?? 0)) >> (8 - bits) === 0
  })
}

function carried(bytes: Bytes, { carries }: Row): readonly Bytes[] {
  if (bytes.length === 4) return []
  switch (carries) {
    case 'in its tail':
      return [bytes.slice(12)]
    case '6to4':
      return [bytes.slice(2, 6)]
    case 'teredo':
      return [bytes.slice(4, 8), bytes.slice(12).map((byte) => byte ^ 0xff)]
  }
  return isIsatap(bytes) ? [bytes.slice(12)] : []
}

// RFC 5214: under any prefix, an interface that is a tunnel to the IPv4 address in its tail
function isIsatap(bytes: Bytes): boolean {
  return (
    (bytes[8] === 0 || bytes[8] === 2) && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe
  )
}

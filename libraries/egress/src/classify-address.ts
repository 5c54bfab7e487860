import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { SPECIAL_RANGES, type SpecialRange } from './special-ranges.ts'

export type AddressVerdict = Pick<SpecialRange, 'access' | 'what'> & {
  /** In canonical form. An IPv4-mapped IPv6 address is written as IPv4. */
  readonly address: string
}

type Bytes = readonly number[]
type Row = SpecialRange & { readonly network: Bytes; readonly prefix: number }

const ROWS: readonly Row[] = SPECIAL_RANGES.map((row) => {
  const [network, prefix] = ipaddr.parseCIDR(row.range)
  return { ...row, network: network.toByteArray(), prefix }
}).toSorted((one, other) => other.prefix - one.prefix)

/**
 * Says whether an address may be connected to, and why. Text that is not an address is `closed`.
 */
export function classifyAddress(text: string): AddressVerdict {
  // A zone index selects one of this machine's network interfaces, which a URL must not do.
  if (isIP(text) === 0 || text.includes('%'))
    return { address: text, access: 'closed', what: 'not an address' }
  return { address: toCanonical(text), ...classify(ipaddr.parse(toHexForm(text)).toByteArray()) }
}

/** Whether two texts name the same address. */
export function isSameAddress(one: string, other: string): boolean {
  if ([one, other].some((text) => isIP(text) === 0 || text.includes('%'))) return false
  return toCanonical(one) === toCanonical(other)
}

function toCanonical(text: string): string {
  return ipaddr.process(toHexForm(text)).toString()
}

// ipaddr.js confuses the IPv4-compatible ::127.0.0.1, as the C library writes ::7f00:1, with the
// mapped ::ffff:127.0.0.1.
function toHexForm(text: string): string {
  return isIP(text) === 6 ? new URL(`http://[${text}]`).hostname.slice(1, -1) : text
}

function classify(bytes: Bytes): Omit<AddressVerdict, 'address'> {
  const row = ROWS.find((candidate) => isWithin(bytes, candidate))
  if (row === undefined) return { access: 'closed', what: 'not an address' }
  const inside = embeddedAddresses(bytes, row).map((one) => ({
    text: one.join('.'),
    ...classify(one),
  }))
  const worst =
    inside.find(({ access }) => access === 'closed') ??
    inside.find(({ access }) => access === 'private')
  if (worst === undefined) return { access: row.access, what: row.what }
  // A closed form stays closed even if the embedded address is public.
  return {
    access: row.access === 'closed' ? 'closed' : worst.access,
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

function embeddedAddresses(bytes: Bytes, { embeds }: Row): readonly Bytes[] {
  if (bytes.length === 4) return []
  switch (embeds) {
    case 'in its tail':
      return [bytes.slice(12)]
    case '6to4':
      return [bytes.slice(2, 6)]
    case 'teredo':
      return [bytes.slice(4, 8), bytes.slice(12).map((byte) => byte ^ 0xff)]
  }
  return isIsatap(bytes) ? [bytes.slice(12)] : []
}

// RFC 5214: under any prefix, an interface identifier that tunnels to the IPv4 address in the last
// 4 bytes.
function isIsatap(bytes: Bytes): boolean {
  return (
    (bytes[8] === 0 || bytes[8] === 2) && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe
  )
}

import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export type AddressVerdict = Pick<SpecialRange, 'access' | 'what'> & {
  /** In canonical form. An IPv4-mapped IPv6 address is written as IPv4. */
  readonly address: string
}

type Bytes = readonly number[]
type Row = SpecialRange & { readonly network: Bytes; readonly prefix: number }

// table
/**
 * `public`: always allowed. `private`: allowed only by a policy entry. `closed`: never allowed.
 * With `embeds`, the embedded IPv4 addresses are classified first, and `access` applies only if
 * they are public.
 */
type SpecialRange = {
  readonly range: string
  readonly access: 'public' | 'private' | 'closed'
  readonly what: string
  readonly embeds?: 'in its tail' | '6to4' | 'teredo'
}

const METADATA = 'a metadata service of a cloud'

/**
 * From IANA's special-purpose registries, plus addresses of cloud providers. The longest prefix
 * wins.
 */
const SPECIAL_RANGES: readonly SpecialRange[] = [
  { range: '0.0.0.0/0', access: 'public', what: 'a public address' },
  { range: '0.0.0.0/8', access: 'closed', what: '"this network"' },
  { range: '10.0.0.0/8', access: 'private', what: 'a private network' },
  { range: '100.64.0.0/10', access: 'private', what: 'a shared address space' },
  { range: '127.0.0.0/8', access: 'private', what: 'loopback' },
  { range: '169.254.0.0/16', access: 'closed', what: 'link-local' },
  { range: '172.16.0.0/12', access: 'private', what: 'a private network' },
  { range: '192.0.0.0/24', access: 'closed', what: 'an IETF protocol assignment' },
  { range: '192.0.2.0/24', access: 'private', what: 'for documentation' },
  { range: '192.88.99.0/24', access: 'closed', what: 'the deprecated 6to4 relay' },
  { range: '192.168.0.0/16', access: 'private', what: 'a private network' },
  { range: '198.18.0.0/15', access: 'private', what: 'for benchmarking' },
  { range: '198.51.100.0/24', access: 'private', what: 'for documentation' },
  { range: '203.0.113.0/24', access: 'private', what: 'for documentation' },
  { range: '224.0.0.0/4', access: 'closed', what: 'multicast' },
  { range: '240.0.0.0/4', access: 'closed', what: 'reserved' },
  { range: '255.255.255.255/32', access: 'closed', what: 'broadcast' },

  // AWS, Google, Azure, DigitalOcean and others. The next two addresses serve container
  // credentials.
  { range: '169.254.169.254/32', access: 'closed', what: METADATA },
  { range: '169.254.170.2/32', access: 'closed', what: METADATA },
  { range: '169.254.170.23/32', access: 'closed', what: METADATA },
  // Azure's wire server has a public address; Oracle's and Alibaba's are in ranges that an
  // allow-list could open.
  { range: '168.63.129.16/32', access: 'closed', what: METADATA },
  { range: '192.0.0.192/32', access: 'closed', what: METADATA },
  { range: '100.100.100.200/32', access: 'closed', what: METADATA },
  { range: '100.96.0.96/32', access: 'closed', what: METADATA },
  { range: 'fd00:ec2::254/128', access: 'closed', what: METADATA },
  { range: 'fd00:ec2::253/128', access: 'closed', what: METADATA },
  { range: 'fd00:ec2::23/128', access: 'closed', what: METADATA },
  { range: 'fd20:ce::254/128', access: 'closed', what: METADATA },
  { range: 'fd00:42::42/128', access: 'closed', what: METADATA },

  // Space that is not allocated as global unicast is not public.
  { range: '::/0', access: 'closed', what: 'not a global unicast address' },
  { range: '2000::/3', access: 'public', what: 'a public address' },
  { range: '::/128', access: 'closed', what: 'the unspecified address' },
  { range: '::1/128', access: 'private', what: 'loopback' },
  {
    range: '::/96',
    access: 'closed',
    what: 'the deprecated IPv4-compatible form',
    embeds: 'in its tail',
  },
  {
    range: '::ffff:0:0/96',
    access: 'public',
    what: 'the IPv4-mapped form',
    embeds: 'in its tail',
  },
  {
    range: '::ffff:0:0:0/96',
    access: 'closed',
    what: 'the IPv4-translated form',
    embeds: 'in its tail',
  },
  { range: '64:ff9b::/96', access: 'public', what: 'the NAT64 form', embeds: 'in its tail' },
  { range: '64:ff9b:1::/48', access: 'closed', what: 'a NAT64 of a network of its own' },
  { range: '100::/64', access: 'closed', what: 'discard-only' },
  { range: '100:0:0:1::/64', access: 'closed', what: 'a dummy prefix' },
  { range: '2001::/23', access: 'closed', what: 'an IETF protocol assignment' },
  { range: '2001::/32', access: 'public', what: 'the Teredo form', embeds: 'teredo' },
  { range: '2001:2::/48', access: 'private', what: 'for benchmarking' },
  { range: '2001:10::/28', access: 'closed', what: 'an ORCHID' },
  { range: '2001:20::/28', access: 'closed', what: 'an ORCHID' },
  { range: '2001:db8::/32', access: 'private', what: 'for documentation' },
  { range: '2002::/16', access: 'public', what: 'the 6to4 form', embeds: '6to4' },
  { range: '3fff::/20', access: 'private', what: 'for documentation' },
  { range: '5f00::/16', access: 'closed', what: 'a segment routing identifier' },
  { range: 'fc00::/7', access: 'private', what: 'a private network' },
  { range: 'fe80::/10', access: 'closed', what: 'link-local' },
  { range: 'fec0::/10', access: 'closed', what: 'the deprecated site-local form' },
  { range: 'ff00::/8', access: 'closed', what: 'multicast' },
]

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

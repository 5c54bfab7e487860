// table
/**
 * `public`: always allowed. `private`: allowed only by a policy entry. `closed`: never allowed.
 * With `embeds`, the embedded IPv4 addresses are classified first, and `access` applies only if
 * they are public.
 */
export type SpecialRange = {
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
export const SPECIAL_RANGES: readonly SpecialRange[] = [
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

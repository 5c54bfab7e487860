// table
/**
 * `public`: anybody may be sent there. `private`: only who is opened by name. `closed`: nothing opens it.
 * With `carries`, the IPv4 addresses inside are judged first, and the standing is for those that carry public ones.
 */
export type SpecialRange = {
  readonly range: string
  readonly standing: 'public' | 'private' | 'closed'
  readonly what: string
  readonly carries?: 'in its tail' | '6to4' | 'teredo'
}

const METADATA = 'a metadata service of a cloud'

/** From IANA's special-purpose registries, and what clouds put elsewhere. The longest prefix wins. */
export const SPECIAL_RANGES: readonly SpecialRange[] = [
  { range: '0.0.0.0/0', standing: 'public', what: 'a public address' },
  { range: '0.0.0.0/8', standing: 'closed', what: '"this network"' },
  { range: '10.0.0.0/8', standing: 'private', what: 'a private network' },
  { range: '100.64.0.0/10', standing: 'private', what: 'a shared address space' },
  { range: '127.0.0.0/8', standing: 'private', what: 'loopback' },
  { range: '169.254.0.0/16', standing: 'closed', what: 'link-local' },
  { range: '172.16.0.0/12', standing: 'private', what: 'a private network' },
  { range: '192.0.0.0/24', standing: 'closed', what: 'an IETF protocol assignment' },
  { range: '192.0.2.0/24', standing: 'private', what: 'for documentation' },
  { range: '192.88.99.0/24', standing: 'closed', what: 'the deprecated 6to4 relay' },
  { range: '192.168.0.0/16', standing: 'private', what: 'a private network' },
  { range: '198.18.0.0/15', standing: 'private', what: 'for benchmarking' },
  { range: '198.51.100.0/24', standing: 'private', what: 'for documentation' },
  { range: '203.0.113.0/24', standing: 'private', what: 'for documentation' },
  { range: '224.0.0.0/4', standing: 'closed', what: 'multicast' },
  { range: '240.0.0.0/4', standing: 'closed', what: 'reserved' },
  { range: '255.255.255.255/32', standing: 'closed', what: 'broadcast' },

  // AWS, Google, Azure, DigitalOcean …; its neighbours hand out the credentials of containers
  { range: '169.254.169.254/32', standing: 'closed', what: METADATA },
  { range: '169.254.170.2/32', standing: 'closed', what: METADATA },
  { range: '169.254.170.23/32', standing: 'closed', what: METADATA },
  // Azure's wire server stands in public space, Oracle's and Alibaba's stand where an allow-list would open them
  { range: '168.63.129.16/32', standing: 'closed', what: METADATA },
  { range: '192.0.0.192/32', standing: 'closed', what: METADATA },
  { range: '100.100.100.200/32', standing: 'closed', what: METADATA },
  { range: '100.96.0.96/32', standing: 'closed', what: METADATA },
  { range: 'fd00:ec2::254/128', standing: 'closed', what: METADATA },
  { range: 'fd00:ec2::253/128', standing: 'closed', what: METADATA },
  { range: 'fd00:ec2::23/128', standing: 'closed', what: METADATA },
  { range: 'fd20:ce::254/128', standing: 'closed', what: METADATA },
  { range: 'fd00:42::42/128', standing: 'closed', what: METADATA },

  // what nobody has allocated as global unicast is not public, whatever will be made of it
  { range: '::/0', standing: 'closed', what: 'not a global unicast address' },
  { range: '2000::/3', standing: 'public', what: 'a public address' },
  { range: '::/128', standing: 'closed', what: 'the unspecified address' },
  { range: '::1/128', standing: 'private', what: 'loopback' },
  {
    range: '::/96',
    standing: 'closed',
    what: 'the deprecated IPv4-compatible form',
    carries: 'in its tail',
  },
  {
    range: '::ffff:0:0/96',
    standing: 'public',
    what: 'the IPv4-mapped form',
    carries: 'in its tail',
  },
  {
    range: '::ffff:0:0:0/96',
    standing: 'closed',
    what: 'the IPv4-translated form',
    carries: 'in its tail',
  },
  { range: '64:ff9b::/96', standing: 'public', what: 'the NAT64 form', carries: 'in its tail' },
  { range: '64:ff9b:1::/48', standing: 'closed', what: 'a NAT64 of a network of its own' },
  { range: '100::/64', standing: 'closed', what: 'discard-only' },
  { range: '100:0:0:1::/64', standing: 'closed', what: 'a dummy prefix' },
  { range: '2001::/23', standing: 'closed', what: 'an IETF protocol assignment' },
  { range: '2001::/32', standing: 'public', what: 'the Teredo form', carries: 'teredo' },
  { range: '2001:2::/48', standing: 'private', what: 'for benchmarking' },
  { range: '2001:10::/28', standing: 'closed', what: 'an ORCHID' },
  { range: '2001:20::/28', standing: 'closed', what: 'an ORCHID' },
  { range: '2001:db8::/32', standing: 'private', what: 'for documentation' },
  { range: '2002::/16', standing: 'public', what: 'the 6to4 form', carries: '6to4' },
  { range: '3fff::/20', standing: 'private', what: 'for documentation' },
  { range: '5f00::/16', standing: 'closed', what: 'a segment routing identifier' },
  { range: 'fc00::/7', standing: 'private', what: 'a private network' },
  { range: 'fe80::/10', standing: 'closed', what: 'link-local' },
  { range: 'fec0::/10', standing: 'closed', what: 'the deprecated site-local form' },
  { range: 'ff00::/8', standing: 'closed', what: 'multicast' },
]

import type { SiteContract } from '../contract/site-contract.ts'

/**
 * Whether `navigation.open` may open an address: one of the site's own origins, or one that the
 * allow-list names as an origin (`https://a.example`), a host (`a.example`) or a domain with its
 * subdomains (`*.a.example`). A host alone means https.
 */
export function isAllowedAddress(
  address: string,
  { origins, openAllowList }: Pick<SiteContract, 'origins' | 'openAllowList'>,
): boolean {
  const { origin, protocol, hostname, username, password } = new URL(address)
  if (username !== '' || password !== '') return false
  if (origins.includes(origin)) return true
  return openAllowList.some((entry) => {
    if (entry.includes('://')) return originOf(entry) === origin
    if (protocol !== 'https:') return false
    return entry.startsWith('*.') ? hostname.endsWith(entry.slice(1)) : hostname === entry
  })
}

function originOf(entry: string): string | undefined {
  return URL.canParse(entry) ? new URL(entry).origin : undefined
}

import { defineTool, ToolError } from '@surehand/core'
import { Url } from '@surehand/documents'
import { z } from 'zod'
import { type SiteContract, siteContracts } from '../contract/site-contract.ts'
import { pageBridge } from '../page/page-bridge-port.ts'
import { pageOf, requireSite } from '../visitor-contract.ts'
import { navigationContract } from './navigation-contract.ts'

export const open = defineTool({
  id: 'navigation.open',
  title: 'Open an address',
  category: 'navigation',
  description:
    'Opens an address outside the site, in a new tab or in this one. Only addresses that the owner of the site allows are opened. For pages of the site itself, use navigation.goto.',
  input: z.object({ url: Url, target: z.enum(['_blank', '_self']).default('_blank') }),
  output: z.object({
    dispatched: z.literal(true),
    url: z.string(),
    commandId: z.string(),
    connected: z.boolean(),
  }),
  contract: navigationContract('150ms'),
  ports: { page: pageBridge, sites: siteContracts },
  examples: [{ name: 'a parcel service', input: { url: 'https://tracking.example/parcel/17' } }],
  async check({ input: { url }, caller, ports }) {
    const { contract } = await requireSite(ports.sites, caller)
    if (isAllowedAddress(url, contract)) return
    throw new ToolError(
      'TOOL_RESOURCE_ACCESS_DENIED',
      `The owner of the site does not allow the agent to open ${new URL(url).origin}. Nothing was opened.`,
      {
        effect: 'none',
        details: { origin: new URL(url).origin },
        suggestions: ['Show the address to the visitor instead, or use another one.'],
      },
    )
  },
  execute: async ({ input: { url, target }, caller, ports, signal }) => {
    const { commandId, isConnected } = await ports.page.dispatch(
      { ...pageOf(caller), command: { do: 'open', url, target } },
      signal,
    )
    return { dispatched: true as const, url, commandId, connected: isConnected }
  },
})

/**
 * Whether `navigation.open` may open an address: one of the site's own origins, or one that the
 * allow-list names as an origin (`https://a.example`), a host (`a.example`) or a domain with its
 * subdomains (`*.a.example`). A host alone means https.
 */
function isAllowedAddress(
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

import type { Caller, Gate } from '@surehand/core'
import { ToolError } from '@surehand/core'
import type { Shopper } from './commerce/commerce-port.ts'
import type { ConnectedSite, SiteContracts } from './contract/site-contract.ts'
import type { PageSession } from './page/page-bridge-port.ts'

/** What every visitor of a site may do through the agent; approvals come on top. */
export const VISIT = 'site.visit'
/** For the owner of a site and the people who run it. */
export const OPERATE = 'site.operate'

export const visitorPermissions = { capabilities: [VISIT] } as const

type WithSites = { readonly sites: SiteContracts }

/** Refuses while the owner has stopped the agent of the site. */
export const siteIsOpen: Gate<unknown, WithSites> = {
  name: 'site_open',
  async check({ caller, ports }) {
    const site = await ports.sites.read({ tenant: caller.tenant }, NEVER)
    return site?.isStopped === true
      ? {
          message: 'The owner of the site has stopped the agent. Nothing was done.',
          details: { source_code: 'site_stopped' },
        }
      : undefined
  },
}

// Gates have no signal; these reads are queries of our own database.
const NEVER = new AbortController().signal

/** Whose cart and bookings a call is about. */
export function shopperOf({ tenant, principal, session, locale }: Caller): Shopper {
  return { tenant, session: session ?? principal, locale }
}

/** Which page a call is about. */
export function pageOf({ tenant, principal, session }: Caller): PageSession {
  return { tenant, session: session ?? principal }
}

/** The connected site, or an error that says how to connect one. */
export async function requireSite(
  sites: SiteContracts,
  caller: Caller,
  signal: AbortSignal = NEVER,
): Promise<ConnectedSite> {
  const site = await sites.read({ tenant: caller.tenant }, signal)
  if (site !== undefined) return site
  throw new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    'No site is connected. Inspect one with "surehand site inspect URL", review the file, and connect it with "surehand site connect FILE".',
    { effect: 'none' },
  )
}

import type { Duration } from '@surehand/core'
import type { SiteContracts } from '../contract/site-contract.ts'
import type { PageBridge } from '../page/page-bridge-port.ts'
import { siteIsOpen, visitorPermissions } from '../visitor-contract.ts'

export type NavigationPorts = { readonly page: PageBridge; readonly sites: SiteContracts }

/** What the tools that move the visitor around have in common: nothing is stored anywhere. */
export function navigationContract(latencyBudget: Duration) {
  return {
    effect: 'read-only-nav',
    auth: 'session',
    permissions: visitorPermissions,
    latencyBudget,
    // A page that does not answer must not hold up the conversation.
    timeout: '3s',
    retries: 0,
    gates: [siteIsOpen],
    limits: [{ calls: 120, per: '1m' }],
  } as const
}

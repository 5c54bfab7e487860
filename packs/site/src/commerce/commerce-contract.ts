import { siteIsOpen, visitorPermissions } from '../visitor-contract.ts'

/** What the tools that change the cart have in common. */
export const cartWrite = {
  effect: 'writes.cart',
  reversible: true,
  auth: 'session',
  permissions: visitorPermissions,
  latencyBudget: '350ms',
  timeout: '8s',
  retries: 1,
  gates: [siteIsOpen],
  limits: [{ calls: 60, per: '1m' }],
} as const

/** What checkout and order have in common. */
export const orderWrite = {
  effect: 'writes.order',
  auth: 'session',
  permissions: visitorPermissions,
  timeout: '20s',
  retries: 1,
} as const

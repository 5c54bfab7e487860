import { siteIsOpen, visitorPermissions } from '../visitor-contract.ts'

/** What the tools that hold, book and cancel have in common. */
export const bookingWrite = {
  effect: 'writes.booking',
  auth: 'session',
  permissions: visitorPermissions,
  timeout: '20s',
  retries: 1,
  gates: [siteIsOpen],
  limits: [{ calls: 20, per: '1m' }],
} as const

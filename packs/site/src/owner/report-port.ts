import { definePort } from '@surehand/core'
import type { Money } from '@surehand/documents'

type Counted = { text: string; count: number }[]
type Sum = { count: number; totals: Money[] }

export type StoredReport = {
  isStopped: boolean
  visits: number
  orders: Sum
  bookings: Sum
  cancellations: number
  unansweredSearches: Counted
  notUnderstood: Counted
  handoffs: { at: string; session: string; text: string }[]
  keys: { key: string; name: string; revoked: boolean }[]
  live: { session: string; origin: string; since: string; until: string }[]
}

/** Reads what was recorded for the owner of a site. */
export type SiteReports = {
  readonly read: (
    request: { readonly tenant: string; readonly since: number; readonly now: number },
    signal: AbortSignal,
  ) => Promise<StoredReport>
}

export const siteReports = definePort<SiteReports>('siteReports', { read: 'read' })

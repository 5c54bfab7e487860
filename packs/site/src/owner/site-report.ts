import { defineTool } from '@surehand/core'
import { Money } from '@surehand/documents'
import { z } from 'zod'
import { operatorOnly } from '../write-request.ts'
import { siteReports } from './report-port.ts'

const Counted = z.array(z.object({ text: z.string(), count: z.int() }))

/** What the agent of a site did. */
export const Report = z.object({
  isStopped: z.boolean(),
  visits: z.int(),
  orders: z.object({ count: z.int(), totals: z.array(Money) }),
  bookings: z.object({ count: z.int(), totals: z.array(Money) }),
  cancellations: z.int(),
  /** Orders and bookings for each visit. */
  conversion: z.number(),
  unansweredSearches: Counted,
  notUnderstood: Counted,
  handoffs: z.array(z.object({ at: z.string(), session: z.string(), text: z.string() })),
  keys: z.array(z.object({ key: z.string(), name: z.string(), revoked: z.boolean() })),
  live: z
    .array(
      z.object({
        session: z.string(),
        origin: z.string(),
        since: z.string(),
        until: z.string(),
      }),
    )
    .describe('The newest visits that have not ended.'),
})
export type Report = z.output<typeof Report>

export const siteReport = defineTool({
  id: 'site.report',
  title: 'Report for the owner',
  category: 'site',
  description:
    'What the agent of the site did in the last days: visits, orders and bookings with their amounts, searches and questions that had no answer, requests for a person, and the publishable keys.',
  input: z.object({ days: z.int().min(1).max(365).default(30) }),
  output: Report,
  contract: {
    ...operatorOnly,
    effect: 'none',
    auth: 'session',
    timeout: '10s',
    latencyBudget: '1s',
  },
  ports: { reports: siteReports },
  examples: [
    { name: 'the last month', input: {} },
    { name: 'the last week', input: { days: 7 } },
  ],
  execute: async ({ input: { days }, caller, ports, now, signal }) => {
    const nowMs = now()
    const since = nowMs - days * 86_400_000
    const report = await ports.reports.read({ tenant: caller.tenant, since, now: nowMs }, signal)
    const { orders, bookings, visits } = report
    return {
      ...report,
      conversion:
        visits === 0 ? 0 : Math.round((100 * (orders.count + bookings.count)) / visits) / 100,
    }
  },
})

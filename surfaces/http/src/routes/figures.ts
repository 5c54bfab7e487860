import type { Caller } from '@surehand/core'
import type { AuditRecord } from '@surehand/core/ports'
import { FiguresSchema } from '@surehand/edge/api'
import { z } from 'zod'
import type { Surface } from '../options.ts'
import { parseQuery } from '../parse-request.ts'
import type { Route } from '../route.ts'
import { readOutcomes } from './audit.ts'

const HOUR_MS = 3_600_000
const POINTS = 60
const MOST_OPEN = 1_000
// A page that is read again every half minute must not cost more than a second.
const MOST_RECORDS = 20_000

const FiguresQuery = z.strictObject({
  hours: z.coerce.number().min(1).max(720).default(24).describe('How far to look back.'),
})

type Point = z.output<typeof FiguresSchema>['points'][number]

/** How the calls of a tenant go, for its administrators. `/metrics` is that of the process. */
export const figureRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/figures',
    command: 'figures.get',
    summary:
      'Returns how the calls of the tenant have gone: answers, errors, unknown outcomes and durations over time, and what is open now. For administrators.',
    query: FiguresQuery,
    returns: {
      schema: () => FiguresSchema,
      example: {
        complete: true,
        step_ms: 1_440_000,
        points: [
          { at: 1_794_823_200_000, calls: 12, failures: 1, unknown: 0, p50_ms: 8, p95_ms: 31 },
        ],
        open: { queued: 2 },
        oldest_queued_at: '2026-11-16T09:00:00.000Z',
      },
    },
    async handle(context, caller, surface) {
      const { hours } = parseQuery(context, FiguresQuery)
      const stepMs = Math.round((hours * HOUR_MS) / POINTS)
      const since = surface.clock.now() - POINTS * stepMs
      const wanted = { since, most: MOST_RECORDS }
      const { records, complete } = await readOutcomes(context, caller, surface, wanted)
      const oldest = complete ? since : (records.at(-1)?.created_at ?? since)
      return {
        complete,
        step_ms: stepMs,
        // Where not all was read, nothing is said of the time before.
        points: toPoints(records, since, stepMs).filter(({ at }) => at > oldest - stepMs),
        ...(await countOpen(caller, surface)),
      }
    },
  },
]

function toPoints(records: readonly AuditRecord[], since: number, stepMs: number): Point[] {
  const groups = Array.from({ length: POINTS }, (): AuditRecord[] => [])
  for (const record of records)
    groups[Math.min(POINTS - 1, Math.floor((record.created_at - since) / stepMs))]?.push(record)
  return groups.map((group, index) => {
    const times = group.map(({ duration_ms }) => duration_ms).sort((one, other) => one - other)
    const percentile = (share: number): number | null =>
      times[Math.ceil(times.length * share) - 1] ?? null
    return {
      at: since + index * stepMs,
      calls: group.length,
      failures: group.filter(({ code }) => code !== '').length,
      unknown: group.filter(({ outcome }) => outcome === 'unknown').length,
      p50_ms: percentile(0.5),
      p95_ms: percentile(0.95),
    }
  })
}

async function countOpen(
  caller: Caller,
  { runtime }: Surface,
): Promise<Pick<z.output<typeof FiguresSchema>, 'open' | 'oldest_queued_at'>> {
  const { items } = await runtime.openCalls(caller, { limit: MOST_OPEN })
  const open: Record<string, number> = {}
  for (const { state } of items) open[state] = (open[state] ?? 0) + 1
  const queued = items.filter(({ state }) => state === 'queued').at(-1)
  return {
    open,
    oldest_queued_at: queued === undefined ? null : new Date(queued.createdAt).toISOString(),
  }
}

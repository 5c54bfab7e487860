import type { Caller } from '@surehand/core'
import {
  ALL_BY_HOUR,
  ALL_TOOLS,
  addFigures,
  type CallFigures,
  HOUR_SLOT_MS,
  percentile,
  SLOT_MS,
} from '@surehand/core/ports'
import { FiguresSchema } from '@surehand/edge/api'
import { z } from 'zod'
import type { Surface } from '../options.ts'
import { parseQuery } from '../parse-request.ts'
import type { Route } from '../route.ts'
import { auditFor } from './audit.ts'

const HOUR_MS = 3_600_000
const POINTS = 60
const MOST_OPEN = 1_000
// Up to here the counts of five minutes are read, and those of an hour beyond.
const MOST_SHORT_HOURS = 48

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
      'Returns how the calls of the tenant have gone: answers, errors, unknown outcomes and durations over time, what was queued and running, and what is open now. Durations are right to a tenth. For administrators.',
    query: FiguresQuery,
    returns: {
      schema: () => FiguresSchema,
      example: {
        complete: true,
        step_ms: 1_500_000,
        points: [
          { at: 1_794_823_200_000, calls: 12, failures: 1, unknown: 0, p50_ms: 8, p95_ms: 31 },
        ],
        open: { queued: 2 },
        oldest_queued_at: '2026-11-16T09:00:00.000Z',
        samples: [
          {
            at: 1_794_823_200_000,
            queued: 2,
            parked: 0,
            running: 1,
            expired: 0,
            unknown: 0,
            unsequenced: 3,
            lag_ms: 120,
            store_bytes: 7_340_032,
          },
        ],
      },
    },
    async handle(context, caller, surface) {
      const { hours } = parseQuery(context, FiguresQuery)
      const audit = auditFor(caller, surface)
      const [tool, slotMs] =
        hours > MOST_SHORT_HOURS ? [ALL_BY_HOUR, HOUR_SLOT_MS] : [ALL_TOOLS, SLOT_MS]
      const stepMs = Math.ceil((hours * HOUR_MS) / POINTS / slotMs) * slotMs
      const end = (Math.floor(surface.clock.now() / slotMs) + 1) * slotMs
      const count = Math.ceil((hours * HOUR_MS) / stepMs)
      const since = end - count * stepMs
      const { tenant } = caller
      const { slots, complete } = await audit.figures({ tenant, tool, since })
      return {
        complete,
        step_ms: stepMs,
        points: toPoints(slots, { since, stepMs, count }),
        samples: (await audit.samples?.({ tenant, since, stepMs })) ?? [],
        ...(await countOpen(caller, surface)),
      }
    },
  },
]

type Steps = { readonly since: number; readonly stepMs: number; readonly count: number }

function toPoints(slots: readonly CallFigures[], { since, stepMs, count }: Steps): Point[] {
  const sums = new Map<number, CallFigures>()
  for (const slot of slots) {
    const step = Math.floor((slot.at - since) / stepMs)
    const known = sums.get(step)
    sums.set(step, known === undefined ? slot : addFigures(known, slot))
  }
  return Array.from({ length: count }, (_, step) => {
    const sum = sums.get(step)
    return {
      at: since + step * stepMs,
      calls: sum?.calls ?? 0,
      failures: sum?.failures ?? 0,
      unknown: sum?.unknown ?? 0,
      p50_ms: sum === undefined ? null : percentile(sum, 0.5),
      p95_ms: sum === undefined ? null : percentile(sum, 0.95),
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

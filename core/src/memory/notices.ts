import type { CallRow } from '../call/call-row.ts'
import type { Clock } from '../ports/clock.ts'
import type { NoticeStore } from '../ports/notices.ts'
import type { Ledger } from './ledger.ts'

type Delivery = { readonly at: number; readonly tries: number; readonly isDone: boolean }

const ENDED: ReadonlySet<string> = new Set<CallRow['state']>([
  'succeeded',
  'failed',
  'released',
  'cancelled',
])

/** Webhook notifications of ended calls, in memory. */
export function memoryNotices(ledger: Ledger, clock: Clock): NoticeStore {
  const deliveries = new Map<string, Delivery>()
  return {
    due(limit, holdMs) {
      const now = clock.now()
      const isDue = (row: CallRow): boolean => {
        const delivery = deliveries.get(row.callId)
        return (
          row.notify !== undefined &&
          ENDED.has(row.state) &&
          (delivery === undefined || (!delivery.isDone && delivery.at <= now))
        )
      }
      const found = [...ledger.rows()].filter(isDue).slice(0, limit)
      return found.map((row) => {
        const tries = deliveries.get(row.callId)?.tries ?? 0
        deliveries.set(row.callId, { at: now + holdMs, tries: tries + 1, isDone: false })
        const { tenant, callId, toolId, toolVersion, notify = '', state, answer, updatedAt } = row
        const code = answer?.kind === 'error' ? answer.code : undefined
        return {
          tenant,
          callId,
          toolId,
          toolVersion,
          webhook: notify,
          state,
          code,
          endedAt: updatedAt,
          tries,
        }
      })
    },
    settle({ callId }, hearing) {
      const tries = deliveries.get(callId)?.tries ?? 0
      const isDone = hearing.kind !== 'again'
      deliveries.set(callId, {
        at: hearing.kind === 'again' ? clock.now() + hearing.afterMs : 0,
        tries,
        isDone,
      })
    },
  }
}

import type { CallRow } from '../call/call-row.ts'
import type { Clock } from '../ports/clock.ts'
import type { NoticeStore } from '../ports/notices.ts'
import type { Ledger } from './ledger.ts'

type Word = { readonly at: number; readonly tries: number; readonly isDone: boolean }

const ENDED: ReadonlySet<string> = new Set<CallRow['state']>([
  'succeeded',
  'failed',
  'released',
  'cancelled',
])

/** Who is to hear of ended calls, in memory. */
export function memoryNotices(ledger: Ledger, clock: Clock): NoticeStore {
  const words = new Map<string, Word>()
  return {
    due(limit, holdMs) {
      const now = clock.now()
      const isDue = (row: CallRow): boolean => {
        const word = words.get(row.callId)
        return (
          row.notify !== undefined &&
          ENDED.has(row.state) &&
          (word === undefined || (!word.isDone && word.at <= now))
        )
      }
      const found = [...ledger.rows()].filter(isDue).slice(0, limit)
      return found.map((row) => {
        const tries = words.get(row.callId)?.tries ?? 0
        words.set(row.callId, { at: now + holdMs, tries: tries + 1, isDone: false })
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
      const tries = words.get(callId)?.tries ?? 0
      const isDone = hearing.kind !== 'again'
      words.set(callId, {
        at: hearing.kind === 'again' ? clock.now() + hearing.afterMs : 0,
        tries,
        isDone,
      })
    },
  }
}

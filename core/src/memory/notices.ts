import type { CallRow } from '../call/call-row.ts'
import type { Clock } from '../ports/clock.ts'
import type { Endpoint, NoticeStore, WebhookDelivery } from '../ports/notices.ts'
import type { Ledger } from './ledger.ts'

type Attempts = {
  /** Not before this time. */
  readonly at: number
  readonly tries: number
  readonly delivery: WebhookDelivery['delivery']
  readonly lastResult: WebhookDelivery['lastResult']
}

const ENDED: ReadonlySet<string> = new Set<CallRow['state']>([
  'succeeded',
  'failed',
  'released',
  'cancelled',
])

/** Webhook notifications of ended calls, in memory. */
export function memoryNotices(ledger: Ledger, clock: Clock): NoticeStore {
  const made = new Map<string, Attempts>()
  const attemptsOf = ({ callId }: Pick<CallRow, 'callId'>): Attempts =>
    made.get(callId) ?? { at: 0, tries: 0, delivery: 'waiting', lastResult: undefined }
  const isEnded = (row: CallRow): boolean => row.notify !== undefined && ENDED.has(row.state)
  const isDue = (row: CallRow): boolean => {
    const { delivery, at } = attemptsOf(row)
    return isEnded(row) && delivery === 'waiting' && at <= clock.now()
  }
  const endpointOf = ({ tenant, notify = '' }: CallRow): Endpoint => ({ tenant, webhook: notify })
  const rowsOf = ({ tenant, webhook }: Endpoint): readonly CallRow[] =>
    [...ledger.rows()].filter((row) => row.tenant === tenant && row.notify === webhook)
  return {
    endpoints() {
      const due = [...ledger.rows()].filter(isDue).map(endpointOf)
      return [...new Map(due.map((endpoint) => [JSON.stringify(endpoint), endpoint])).values()]
    },
    due(endpoint, limit, holdMs) {
      const found = rowsOf(endpoint).filter(isDue).slice(0, limit)
      return found.map((row) => {
        const attempts = attemptsOf(row)
        const { tries } = attempts
        made.set(row.callId, { ...attempts, at: clock.now() + holdMs, tries: tries + 1 })
        const { tenant, callId, toolId, toolVersion, notify = '', state, answer, updatedAt } = row
        const code = answer?.kind === 'error' ? answer.code : undefined
        return {
          ...{ tenant, callId, toolId, toolVersion, state, code, tries },
          webhook: notify,
          endedAt: updatedAt,
        }
      })
    },
    settle({ callId }, hearing, result) {
      const deliveries = { heard: 'delivered', again: 'waiting', given_up: 'abandoned' } as const
      const now = clock.now()
      const attempts = attemptsOf({ callId })
      made.set(callId, {
        at: hearing.kind === 'again' ? now + hearing.afterMs : 0,
        tries: attempts.tries,
        delivery: deliveries[hearing.kind],
        lastResult: result === undefined ? attempts.lastResult : { ...result, at: now },
      })
    },
    list(endpoint, { limit, before }) {
      const listed = rowsOf(endpoint)
        .filter(isEnded)
        .map((row): WebhookDelivery => {
          const { callId, toolId, state, updatedAt: endedAt } = row
          const { at, ...attempts } = attemptsOf(row)
          const isLater = attempts.delivery === 'waiting' && at > clock.now()
          return {
            callId,
            toolId,
            state,
            endedAt,
            ...attempts,
            nextAttemptAt: isLater ? at : undefined,
          }
        })
        .sort((one, other) => (isOlder(one, other) ? 1 : -1))
      return listed.filter((one) => before === undefined || isOlder(one, before)).slice(0, limit)
    },
  }
}

type Place = Pick<WebhookDelivery, 'endedAt' | 'callId'>

function isOlder(one: Place, other: Place): boolean {
  return one.endedAt === other.endedAt ? one.callId < other.callId : one.endedAt < other.endedAt
}

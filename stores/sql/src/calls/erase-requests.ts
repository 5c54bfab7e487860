import { ENDED } from '../audit/erase.ts'
import { inChunks } from '../audit/in-chunks.ts'
import { forgetNotes } from '../runs/forget-notes.ts'
import { defineStep, type Sql } from '../step.ts'
import { forgetTraces } from './traces.ts'

export type EraseRequestsOrder = {
  readonly tenant: string
  /** The domain's requests whose calls are emptied, as the tools name them. */
  readonly requestIds: readonly string[]
  /**
   * `forget`: a key may be derived from what is erased, and the tools themselves refuse a
   * repetition. `keep`: without its key a repetition would be executed again.
   */
  readonly keys: 'keep' | 'forget'
}

export type ErasedRequests = {
  readonly erased: number
  /** Calls that have not ended keep what they need. Erase again when they have ended. */
  readonly underWay: readonly string[]
}

const EMPTIED = "input = '' and input_hash = '' and answer is null"

/**
 * Empties the inputs and answers of calls about someone who is not a principal, such as the client
 * of a marketplace. The audit has no content of theirs, so its records stay.
 */
export const eraseRequests = defineStep(
  'calls.eraseRequests',
  { mode: 'durable', statements: 'many' },
  async (sql: Sql, { tenant, requestIds, keys }: EraseRequestsOrder): Promise<ErasedRequests> => {
    const found: { readonly callId: string; readonly isEnded: boolean }[] = []
    for (const chunk of inChunks(requestIds))
      for (const { call_id: callId, state } of await sql.all(
        `select call_id, state from calls where tenant = ? and request_id in (${placesOf(chunk)}) {lock}`,
        tenant,
        ...chunk,
      ))
        found.push({ callId: String(callId), isEnded: ENDED.includes(`'${state}'`) })
    const ended = found.filter(({ isEnded }) => isEnded).map(({ callId }) => callId)
    const erased = await emptyCalls(sql, ended, keys)
    await forgetNotes(sql, ended)
    await forgetTraces(
      sql,
      found.map(({ callId }) => callId),
    )
    return {
      erased,
      underWay: found.filter(({ isEnded }) => !isEnded).map(({ callId }) => callId),
    }
  },
)

async function emptyCalls(
  sql: Sql,
  callIds: readonly string[],
  keys: EraseRequestsOrder['keys'],
): Promise<number> {
  let erased = 0
  for (const chunk of inChunks(callIds)) {
    const places = placesOf(chunk)
    erased += await sql.run(
      `update calls set state = case when state in ('succeeded', 'failed') then 'pruned' else state end, input = '', input_hash = '',
        answer = null, provider_key = '', effect_args_hash = case when effect_args_hash is null then null else '' end
        ${keys === 'forget' ? ', key = call_id' : ''} where call_id in (${places}) and not (${EMPTIED})`,
      ...chunk,
    )
    await sql.run(
      `update evidence set text = '' where text <> '' and call_id in (${places})`,
      ...chunk,
    )
    await sql.run(
      `update approvals set input_hash = '', asks = '', shown = '{}', digest = '' where call_id in (${places})
        and (state in ('approved', 'expired', 'used', 'replaced') or expires_at <= {now})`,
      ...chunk,
    )
  }
  return erased
}

function placesOf(values: readonly string[]): string {
  return values.map(() => '?').join(', ')
}

import type { CallRow, NewCall } from '@surehand/core/ports'
import type { Sql } from '../step.ts'
import { callRow, SELECT_CALL } from './call-row.ts'

const SAME = `${SELECT_CALL} where tenant = ? and principal = ? and tool_id = ? and input_hash = ? and call_id <> ?
  and created_at > (select {now}) - ?`
const LAST = 'order by created_at desc limit 1'
const RECENT = `${SAME} and irreversible = 1 and state in ('queued', 'parked', 'claimed', 'effect_started', 'succeeded', 'unknown') ${LAST}`
const UNKNOWN = `${SAME} and state = 'unknown' ${LAST}`

/**
 * The newest call with the same input that succeeded or started since then; for a reversible write
 * only one whose outcome is unknown.
 */
export async function recentWish(
  sql: Sql,
  call: NewCall,
  sinceMs: number,
): Promise<CallRow | undefined> {
  return callRow(
    await sql.get(
      call.irreversible ? RECENT : UNKNOWN,
      call.tenant,
      call.principal,
      call.toolId,
      call.inputHash,
      call.callId,
      sinceMs,
    ),
  )
}

import type { CallRow, NewCall } from '@surehand/core/ports'
import type { Sql } from '../step.ts'
import { callRow, SELECT_CALL } from './call-row.ts'

const RECENT = `${SELECT_CALL} where tenant = ? and principal = ? and tool_id = ? and input_hash = ? and irreversible = 1
  and call_id <> ? and state in ('queued', 'parked', 'claimed', 'effect_started', 'succeeded', 'unknown')
  and created_at > (select {now}) - ? order by created_at desc limit 1`

/** The newest call with the same input that succeeded or started since then. */
export async function recentWish(
  sql: Sql,
  call: NewCall,
  sinceMs: number,
): Promise<CallRow | undefined> {
  return callRow(
    await sql.get(
      RECENT,
      call.tenant,
      call.principal,
      call.toolId,
      call.inputHash,
      call.callId,
      sinceMs,
    ),
  )
}

import type { Fence } from '@surehand/core/ports'
import { OURS, ours } from '../calls/fenced.ts'
import type { CallName } from '../calls/looks.ts'
import { defineStep } from '../step.ts'

const SET = `insert into progress (call_id, tenant, number, json) select call_id, tenant, 1, cast(? as text) from calls where ${OURS}
  on conflict (call_id) do update set number = progress.number + 1, json = excluded.json`

export const setProgress = defineStep(
  'runs.setProgress',
  { mode: 'lazy', statements: 'one' },
  async (sql, { fence, json }: { readonly fence: Fence; readonly json: string }) => {
    await sql.run(SET, json, ...ours(fence))
  },
)

export const getProgress = defineStep(
  'runs.progress',
  { mode: 'read', statements: 'one' },
  async (sql, { tenant, callId }: CallName) => {
    const row = await sql.get(
      'select number, json from progress where call_id = ? and tenant = ?',
      callId,
      tenant,
    )
    return row === undefined ? undefined : { number: Number(row.number), json: String(row.json) }
  },
)

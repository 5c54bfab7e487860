import { defineTool, defineTransaction, type Tx, transact } from '@surehand/core'
import { z } from 'zod'
import { OPERATE, type WriteRequest, writeRequest } from '../contract.ts'
import { CallState } from '../request/request.ts'

const Input = z.object({
  /** The attempt, where the caller knows it; otherwise it is found by the provider's id. */
  call_attempt_id: z.string().optional(),
  provider_call_id: z.string().optional(),
  state: CallState,
  error: z.string().max(500).optional(),
  /** The answer of the client's phone, for the operator's page. */
  answer_sdp: z.string().max(100_000).optional(),
  at: z.int(),
})
type SettleInput = z.output<typeof Input>

// A call goes on only in this order; what comes late changes nothing.
const RANK: Readonly<Record<CallState, number>> = {
  initiated: 0,
  ringing: 1,
  answered: 2,
  completed: 3,
  failed: 3,
  no_answer: 3,
  busy: 3,
}

const settle = defineTransaction(
  'marketplace.settle_call',
  async (tx, { tenant, now, input }: WriteRequest<SettleInput>) => {
    if (input.provider_call_id !== undefined) await storeEvent(tx, tenant, input)
    const attempt = await findAttempt(tx, tenant, input)
    if (attempt === undefined) return { call_attempt_id: null, state: input.state }
    const providerId = input.provider_call_id ?? attempt.providerId
    // Events may have arrived before the id was known here.
    const events =
      providerId === null
        ? [input]
        : (
            await tx.all(
              'select state, data, at from mk_call_events where tenant = ? and provider_call_id = ? order by at',
              tenant,
              providerId,
            )
          ).map((row) => ({ state: row.state as CallState, at: Number(row.at) }))
    const furthest = [{ state: attempt.state, at: now }, ...events].reduce((left, right) =>
      RANK[right.state] > RANK[left.state] ? right : left,
    )
    await tx.run(
      `update mk_call_attempts set state = ?, provider_call_id = ?, error = coalesce(?, error), answer_sdp = coalesce(?, answer_sdp),
        answered_at = case when ? = 'answered' then coalesce(answered_at, ?) else answered_at end,
        ended_at = case when ? = 3 then coalesce(ended_at, ?) else ended_at end, updated_at = ? where tenant = ? and id = ?`,
      furthest.state,
      providerId,
      input.error ?? null,
      input.answer_sdp ?? null,
      furthest.state,
      furthest.at,
      RANK[furthest.state],
      furthest.at,
      now,
      tenant,
      attempt.id,
    )
    return { call_attempt_id: attempt.id, state: furthest.state }
  },
)

async function storeEvent(tx: Tx, tenant: string, input: SettleInput): Promise<void> {
  await tx.run(
    `insert into mk_call_events (tenant, provider_call_id, state, at) values (?, ?, ?, ?) on conflict (tenant, provider_call_id, state) do nothing`,
    tenant,
    input.provider_call_id ?? '',
    input.state,
    input.at,
  )
}

async function findAttempt(tx: Tx, tenant: string, input: SettleInput) {
  const row =
    input.call_attempt_id === undefined
      ? await tx.get(
          'select id, state, provider_call_id from mk_call_attempts where tenant = ? and provider_call_id = ?',
          tenant,
          input.provider_call_id ?? '',
        )
      : await tx.get(
          'select id, state, provider_call_id from mk_call_attempts where tenant = ? and id = ?',
          tenant,
          input.call_attempt_id,
        )
  return row === undefined
    ? undefined
    : {
        id: String(row.id),
        state: row.state as CallState,
        providerId: row.provider_call_id === null ? null : String(row.provider_call_id),
      }
}

export const settleCall = defineTool({
  id: 'marketplace.settle_call',
  title: 'Record the state of a call',
  category: 'marketplace',
  description: 'Stores what WhatsApp reports about a call. Events that arrive late change nothing.',
  version: '1.0.0',
  input: Input,
  output: z.object({ call_attempt_id: z.string().nullable(), state: CallState }),
  contract: {
    ...OPERATE,
    effect: 'writes.call',
    reversible: true,
    idempotency: 'caller',
    timeout: '5s',
  },
  examples: [
    {
      name: 'it rings',
      input: {
        call_attempt_id: 'cal_initiated',
        provider_call_id: 'wacid.1',
        state: 'ringing',
        at: 1_768_464_000_000,
      },
    },
    {
      name: 'it was not placed',
      input: { call_attempt_id: 'cal_initiated', state: 'failed', at: 1_768_464_000_000 },
    },
  ],
  transaction: transact(settle, writeRequest<SettleInput>('cst')),
})

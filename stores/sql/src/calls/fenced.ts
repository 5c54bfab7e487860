import type { AuditRecord, BootTime, EffectMark, Ending, Fence } from '@surehand/core/ports'
import { insertRecord } from '../audit/record-row.ts'
import { defineStep, type Sql, type Statement } from '../step.ts'
import { leaseBoot } from './call-row.ts'
import { wake, wakeParent } from './wake.ts'

// When no row matches this condition, the claim was lost to another process.
export const OURS =
  "call_id = ? and tenant = ? and fence = ? and state in ('claimed', 'effect_started')"

export function ours({ callId, tenant, fence }: Fence): readonly [string, string, number] {
  return [callId, tenant, fence]
}

const START = `update calls set state = 'effect_started', effect_port = ?, effect_method = ?, effect_args_hash = ?,
  effect_started_at = coalesce(effect_started_at, {now}), effect_last_started_at = {now},
  effect_ticks = case when effect_started_at is null then cast(? as bigint) when effect_boot = cast(? as text) then effect_ticks end,
  effect_boot = ?, effect_last_ticks = ?, updated_at = {now}
  where ${OURS} and lease_until > {now}`

export type Starting = {
  readonly fence: Fence
  readonly effect: EffectMark
  readonly intent: AuditRecord
  readonly at: BootTime | undefined
}

/** Durable before the first byte is sent, together with its intent record. */
export const startEffect = defineStep(
  'calls.startEffect',
  { mode: 'durable', statements: 'one' },
  (sql, { fence, effect: { port, method, argsHash }, intent, at }: Starting) => {
    const [boot, ticks] = leaseBoot(at)
    return sql.runBoth(
      { text: START, values: [port, method, argsHash, ticks, boot, boot, ticks, ...ours(fence)] },
      insertRecord(intent),
    )
  },
)

// A call that has ended never runs again, so its input is removed; an unknown one may run again.
const END = `update calls set state = ?, lease_until = null, answer = ?, input = case when ? = 1 then input else '' end, updated_at = {now} where`
// Queued again because nothing happened: the announcement is cleared, so that the next attempt does
// not take it for an effect in progress.
const AGAIN = `update calls set state = 'queued', lease_until = null, effect_port = null, effect_method = null, effect_args_hash = null,
  effect_started_at = null, effect_last_started_at = null, effect_boot = null, effect_ticks = null, effect_last_ticks = null, updated_at = {now} where`
const END_OURS = `${END} ${OURS}`
const AGAIN_OURS = `${AGAIN} ${OURS}`
const END_UNKNOWN = `${END} call_id = ? and tenant = ? and state = 'unknown'`
/** Inside the transaction that claimed the row, where no other process can have taken it over. */
export const END_JUST_CLAIMED: string = `${END} call_id = ? and fence = ? and state in ('claimed', 'effect_started')`

export function endWith(ending: Ending, text: string, values: Statement['values']): Statement {
  const keepsInput = ending.state === 'unknown' ? 1 : 0
  const answer = 'answer' in ending ? JSON.stringify(ending.answer) : null
  return { text, values: [ending.state, answer, keepsInput, ...values] }
}

export type Finishing = {
  readonly fence: Fence
  readonly ending: Ending
  readonly audit: AuditRecord
}

export const finish = defineStep('calls.finish', { mode: 'durable', statements: 'one' }, endOurs)

/** The same for a step of a run: the run continues when the step has ended. */
export const finishStep = defineStep(
  'calls.finishStep',
  { mode: 'durable', statements: 'many' },
  async (sql, finishing: Finishing): Promise<boolean> => {
    const { tenant, parentId } = finishing.fence
    if (!(await endOurs(sql, finishing))) return false
    if (parentId !== undefined && finishing.ending.state !== 'queued')
      await wake(sql, { tenant, callId: parentId })
    return true
  },
)

function endOurs(sql: Sql, { fence, ending, audit }: Finishing): Promise<boolean> {
  const end =
    ending.state === 'queued'
      ? { text: AGAIN_OURS, values: ours(fence) }
      : endWith(ending, END_OURS, ours(fence))
  return sql.runBoth(end, insertRecord(audit))
}

export type Resolving = {
  readonly tenant: string
  readonly callId: string
  readonly ending: Ending
  readonly audit: AuditRecord
}

export const resolveUnknown = defineStep(
  'calls.resolve',
  { mode: 'durable', statements: 'many' },
  async (sql, { tenant, callId, ending, audit }: Resolving): Promise<boolean> => {
    if (!(await sql.runBoth(endWith(ending, END_UNKNOWN, [callId, tenant]), insertRecord(audit))))
      return false
    await wakeParent(sql, { tenant, callId })
    return true
  },
)

const RENEW = `update calls set lease_until = {now} + ?, lease_boot = ?, lease_ticks = ?, updated_at = {now} where ${OURS}`

export type Renewing = {
  readonly fence: Fence
  readonly leaseMs: number
  readonly at: BootTime | undefined
}

/** Lazy: if it is lost, the lease only ends earlier. */
export const renew = defineStep(
  'calls.renew',
  { mode: 'lazy', statements: 'one' },
  async (sql, { fence, leaseMs, at }: Renewing) =>
    (await sql.run(RENEW, leaseMs, ...leaseBoot(at, leaseMs), ...ours(fence))) > 0,
)

/** Lazy: if it is lost, recovery only starts later. */
export const abandon = defineStep(
  'calls.abandon',
  { mode: 'lazy', statements: 'one' },
  async (sql, { fence }: { readonly fence: Fence }) =>
    (await sql.run(
      `update calls set lease_until = 0, lease_boot = null, updated_at = {now} where ${OURS}`,
      ...ours(fence),
    )) > 0,
)

import type { CallRow } from '../call/call-row.ts'
import type { Answer } from '../call/outcome.ts'
import { ToolError } from '../call/tool-error.ts'
import type { Work } from '../define/tool.ts'
import type { Call } from '../ledger/call.ts'
import { watchForStop } from '../ledger/cancel-call.ts'
import { claimCall } from '../ledger/claim-call.ts'
import { withDeadline } from '../ledger/deadline.ts'
import {
  abandonClaim,
  finishWithError,
  finishWithInvalidOutput,
  finishWithOutput,
  type LateResult,
  markUnknown,
  onClaimLost,
  storeEvidence,
  toFailureEnding,
  toReleasedEnding,
} from '../ledger/finish-call.ts'
import { keepLease } from '../ledger/lease.ts'
import { storeProgress } from '../ledger/progress.ts'
import { toCallError } from '../ledger/scrub.ts'
import type { Ending } from '../ports/calls.ts'
import { withApprovedFacts } from './approve.ts'
import { attempt } from './attempt.ts'
import type { PipelineContext } from './context.ts'
import { ExternalEffect } from './external-effect.ts'
import { passGates } from './gates.ts'
import { performRead } from './perform-read.ts'
import { performRun } from './perform-run.ts'
import { performTransaction } from './perform-transaction.ts'
import { refuseChangedFacts } from './recheck-facts.ts'
import { mayRetry } from './retry.ts'

type ExecuteWork = Extract<Work, { kind: 'execute' }>

/** Executes the call and stores its answer. Nothing else calls `execute`. */
export function perform(call: Call, context: PipelineContext): Promise<Answer> {
  const { work, contract } = call.tool
  if (work.kind === 'transaction') return performTransaction(call, work, context)
  if (work.kind === 'run') return performRun(call, work, context)
  // A read that was deferred or approved has a row too, and its answer is fetched by call id.
  return contract.isWrite || call.resumes !== undefined
    ? performKeyed(call, work, context)
    : performRead(call, work, context)
}

/**
 * Executes a call that has a row in the ledger: claims it, attempts it, and stores how it ended.
 */
async function performKeyed(
  call: Call,
  work: ExecuteWork,
  context: PipelineContext,
): Promise<Answer> {
  const claimed = await claimCall(call, context)
  if ('answer' in claimed) return claimed.answer
  const { row } = claimed
  const isResumed = call.resumes !== undefined
  const progress = isResumed ? storeProgress(call, row, context) : undefined
  const watch = isResumed
    ? watchForStop(row, context, () => context.abortControllers.get(row.callId)?.abort())
    : undefined
  // A call that must end long before its lease does needs no renewal.
  const lease =
    call.deadlineTicks - call.startedTicks < context.leaseMs / 2
      ? undefined
      : keepLease(row, context)
  try {
    const approved = await withApprovedFacts(progress?.call ?? call, row, context)
    return await attemptUntilSettled(approved, row, work, context)
  } finally {
    await progress?.flush()
    watch?.stop()
    lease?.stop()
  }
}

async function attemptUntilSettled(
  call: Call,
  row: CallRow,
  work: ExecuteWork,
  context: PipelineContext,
): Promise<Answer> {
  const effect = new ExternalEffect(call, row, context)
  if (effect.isLost) {
    const cause = new ToolError('TOOL_OUTCOME_UNKNOWN', 'Its process ended while it was executing.')
    return markUnknown(call, row, cause, context)
  }
  if (row.effect === undefined && call.tool.contract.gates.length > 0) {
    const refused = await checkGatesAgain(call, row, context)
    if (refused !== undefined) return refused
  }
  context.providers.retryBudget(call.tool).countCall()
  const onLate = (late: LateResult): void => void storeEvidence(late, call, row, context)
  for (let retry = 0, lookUps = 0; ; ) {
    if (call.approved !== undefined && !effect.mayHaveHappened) {
      const refused = await refuseChangedFacts(call, () => ({ row }), context)
      if (refused !== undefined) return refused
    }
    let raw: unknown
    try {
      raw = await attempt(call, context, (current) => effect.execute(current, work), onLate)
    } catch (thrown) {
      const error = toCallError(thrown, call, context)
      const verdict = effect.judge(error)
      switch (verdict) {
        case 'look-up':
          // An effect that the provider does not know may be sent again, as often as any other
          // failure is retried.
          if (lookUps++ <= call.tool.contract.retries) continue
          return abandonClaim(row, error, context)
        case 'no-effect':
        case 'same-key':
          if (await mayRetryUntilAbort(call, retry++, error, context)) continue
          return verdict === 'no-effect'
            ? finishWithError(call, row, error, toReleasedEnding(call, row, error), context)
            : abandonClaim(row, error, context)
        case 'refused':
          return finishWithError(call, row, error, toRefusedEnding(call, row, error), context)
        case 'later':
          return abandonClaim(row, error, context)
        case 'unknown':
          return markUnknown(call, row, error, context)
        case 'done':
          return finishWithInvalidOutput(call, row, effect.result?.value, error.message, context)
        case 'claim-lost':
          return onClaimLost(call, row, undefined, context)
      }
    }
    return finishWithOutput(call, row, raw, context)
  }
}

function toRefusedEnding(call: Call, row: CallRow, error: ToolError): Ending {
  return call.tool.contract.onRefusal === 'release'
    ? { state: 'released' }
    : toFailureEnding(row, error)
}

// A cancellation during the pause is reported as the failure before it.
async function mayRetryUntilAbort(
  call: Call,
  retry: number,
  error: ToolError,
  context: PipelineContext,
): Promise<boolean> {
  try {
    return await mayRetry(call, retry, error, context)
  } catch {
    return false
  }
}

async function checkGatesAgain(
  call: Call,
  row: CallRow,
  context: PipelineContext,
): Promise<Answer | undefined> {
  try {
    await withDeadline(call, context, passGates(call, context))
    return undefined
  } catch (thrown) {
    const error = toCallError(thrown, call, context)
    return finishWithError(call, row, error, { state: 'released' }, context)
  }
}

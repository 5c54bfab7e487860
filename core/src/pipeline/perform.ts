import type { CallRow } from '../call/call-row.ts'
import { errorRow } from '../call/errors.ts'
import type { Answer } from '../call/outcome.ts'
import { ToolError } from '../call/tool-error.ts'
import {
  type CheckedOutput,
  checkOutput,
  checkOutputOf,
  invalidOutputError,
} from '../define/check-output.ts'
import { callBudgetMs } from '../define/normal.ts'
import { holdsSecret } from '../define/redact.ts'
import type { Work } from '../define/tool.ts'
import type { Call } from '../ledger/call.ts'
import { watchForStop } from '../ledger/cancel-call.ts'
import { claimCall } from '../ledger/claim-call.ts'
import { withDeadline } from '../ledger/deadline.ts'
import {
  abandonClaim,
  afterClaim,
  finishWithError,
  finishWithInvalidOutput,
  finishWithOutput,
  type LateResult,
  markUnknown,
  onClaimLost,
  quarantine,
  storeEvidence,
  toFailureEnding,
  toReleasedEnding,
} from '../ledger/finish-call.ts'
import { keepLease } from '../ledger/leases.ts'
import { isPoison } from '../ledger/poison.ts'
import { storeProgress } from '../ledger/progress.ts'
import { toCallError } from '../ledger/scrub.ts'
import type { Ending } from '../ports/calls.ts'
import { withApprovedFacts } from './approve.ts'
import { attempt, CallExecution } from './attempt.ts'
import type { PipelineContext } from './context.ts'
import { ExternalEffect } from './external-effect.ts'
import { passGates } from './gates.ts'
import { performTransaction } from './perform-transaction.ts'
import { type CacheEntry, cacheKey } from './recall.ts'
import { refuseChangedFacts } from './recheck-facts.ts'
import { mayRetry, withRetries } from './retry.ts'
import { type Flight, joinFlight } from './single-flight.ts'
import { traceToCall } from './stray-errors.ts'
import { withFreshInput } from './validate.ts'

type ExecuteWork = Extract<Work, { kind: 'execute' }>

/** Executes the call and stores its answer. Nothing else calls `execute`. */
export function perform(call: Call, context: PipelineContext): Promise<Answer> {
  const { work, contract } = call.tool
  if (work.kind === 'transaction') return performTransaction(call, work, context)
  if (work.kind === 'run') return performRunOnceLoaded(call, work, context)
  if (contract.isWrite) return performKeyed(call, work, context)
  return call.resumes === undefined
    ? performRead(call, work, context)
    : performDeferredRead(call, work, context)
}

// Loaded on first use: a command that calls one tool seldom needs it.
async function performRunOnceLoaded(
  call: Call,
  work: Extract<Work, { kind: 'run' }>,
  context: PipelineContext,
): Promise<Answer> {
  const { performRun } = await import('./perform-run.ts')
  return performRun(call, work, context)
}

// A read that a worker executes has a row too: its answer is fetched by call id.
async function performDeferredRead(
  call: Call,
  work: ExecuteWork,
  context: PipelineContext,
): Promise<Answer> {
  const answer = await performKeyed(call, work, context)
  return call.tool.contract.cache === undefined
    ? answer
    : writeCache(cacheKey(call, context), answer, call, context)
}

/**
 * Executes a call that has a row in the ledger: claims it, attempts it, and stores how it ended.
 */
async function performKeyed(
  call: Call,
  work: ExecuteWork,
  context: PipelineContext,
): Promise<Answer> {
  const claiming = claimCall(call, context)
  const claimed = claiming instanceof Promise ? await claiming : claiming
  if ('answer' in claimed) return claimed.answer
  const { row } = claimed
  const release = context.leases.hold(row)
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
    if (isPoison(row, call.tool)) return await quarantine(call, row, context)
    const approving = withApprovedFacts(progress?.call ?? call, row, context)
    const approved = approving instanceof Promise ? await approving : approving
    return await attemptUntilSettled(approved, row, work, context)
  } catch (thrown) {
    throw afterClaim(thrown, call, row)
  } finally {
    if (progress !== undefined) await progress.flush()
    watch?.stop()
    lease?.stop()
    release()
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
  context.providers.retryBudget(call.tool, call.caller.tenant).countCall()
  const onLate = (late: LateResult): void => void storeEvidence(late, call, row, context)
  const tries: Tries = { retries: 0, lookUps: 0 }
  for (;;) {
    if (call.approved !== undefined && !effect.mayHaveHappened) {
      const refused = await refuseChangedFacts(call, () => ({ row }), context)
      if (refused !== undefined) return refused
    }
    let raw: unknown
    try {
      raw = await attempt(call, context, (current) => effect.execute(current, work), onLate)
    } catch (thrown) {
      const failed = { call, row, effect, error: toCallError(thrown, call, context) }
      const answer = await settleFailure(failed, tries, context)
      if (answer === undefined) continue
      return answer
    }
    return finishWithOutput(call, row, raw, context)
  }
}

type Tries = { retries: number; lookUps: number }

type FailedAttempt = {
  readonly call: Call
  readonly row: CallRow
  readonly effect: ExternalEffect
  readonly error: ToolError
}

/** Ends the call as its failed attempt demands; undefined: it is attempted again. */
async function settleFailure(
  { call, row, effect, error }: FailedAttempt,
  tries: Tries,
  context: PipelineContext,
): Promise<Answer | undefined> {
  const verdict = effect.judge(error)
  switch (verdict) {
    case 'look-up':
      // An effect that the provider does not know may be sent again, as often as any other failure
      // is retried.
      if (tries.lookUps++ <= call.tool.contract.retries) return undefined
      return abandonClaim(row, error, context)
    case 'no-effect':
    case 'same-key':
      if (await mayRetryUntilAbort(call, tries.retries++, error, context)) return undefined
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

/** Executes a read: it has no row in the ledger, and perhaps a cache entry. */
function performRead(call: Call, work: ExecuteWork, context: PipelineContext): Promise<Answer> {
  if (call.tool.contract.cache !== undefined) return readOnceForAll(call, work, context)
  return call.tool.contract.fallback === undefined
    ? read(call, work, context)
    : readOrFallBack(call, work, context)
}

// Single flight: callers who come while a cached read is executing wait for the same answer.
function readOnceForAll(call: Call, work: ExecuteWork, context: PipelineContext): Promise<Answer> {
  const key = cacheKey(call, context)
  const current = context.flights.get(key)
  if (current !== undefined) return joinFlight(current, call, context)
  const controller = new AbortController()
  // One caller's short deadline must not end the read for the others: it has the time of the
  // contract.
  const deadlineTicks = context.clock.ticks() + callBudgetMs(call.tool.contract)
  const answer = readOrFallBack(
    { ...call, signal: controller.signal, deadlineTicks },
    work,
    context,
  ).then((done) => writeCache(key, done, call, context))
  const flight: Flight = { answer, waiting: 0, controller }
  context.flights.set(key, flight)
  const remove = (): void => {
    if (context.flights.get(key) === flight) context.flights.delete(key)
  }
  answer.then(remove, remove)
  // A read that was aborted because every caller left must not be joined.
  controller.signal.addEventListener('abort', remove, { once: true })
  return joinFlight(flight, call, context)
}

async function writeCache(
  key: string,
  answer: Answer,
  call: Call,
  context: PipelineContext,
): Promise<Answer> {
  const { cache } = call.tool.contract
  if (cache === undefined || answer.status !== 'done' || answer.source !== 'executed') return answer
  // Cache entries are not encrypted, so outputs with secrets are not cached.
  if (holdsSecret(call.tool.output.shape)) return answer
  const entry: CacheEntry = {
    data: answer.data,
    warnings: answer.warnings,
    output: { hash: answer.output.hash, bytes: answer.output.bytes },
  }
  try {
    await context.stores.cache.set(key, JSON.stringify(entry), cache.ttlMs(call.input))
  } catch {
    // The answer is not cached, and the next call executes again.
  }
  return answer
}

async function readOrFallBack(
  call: Call,
  work: ExecuteWork,
  context: PipelineContext,
): Promise<Answer> {
  try {
    return await read(call, work, context)
  } catch (thrown) {
    return fallBack(call, toCallError(thrown, call, context), context)
  }
}

async function read(call: Call, work: ExecuteWork, context: PipelineContext): Promise<Answer> {
  const given = {
    ports: context.providers.of(call.tool, call.caller.tenant),
    idempotencyKey: call.key,
  }
  let tries = 0
  const raw = await withRetries(call, context, () => {
    const asked = tries++ === 0 ? call : withFreshInput(call)
    return attempt(asked, context, (current) =>
      work.execute(new CallExecution(asked, context, current, given)),
    )
  })
  const checking = checkOutputOf(call, raw)
  const checked = checking instanceof Promise ? await checking : checking
  if (!checked.ok) throw invalidOutputError(call.tool.id, checked.problem, call.id)
  return toDone(checked)
}

function toDone(
  checked: Extract<CheckedOutput, { ok: true }>,
): Extract<Answer, { status: 'done' }> {
  return {
    status: 'done',
    data: checked.data,
    source: 'executed',
    warnings: checked.warnings,
    originalCallId: undefined,
    audited: false,
    output: checked.output,
  }
}

// A fallback replaces a failure, never a refusal: a caller without rights must not get an answer
// that looks like trouble.
async function fallBack(call: Call, error: ToolError, context: PipelineContext): Promise<Answer> {
  const { fallback } = call.tool.contract
  if (
    fallback === undefined ||
    (errorRow(error.code).status === 'failed' && !errorRow(error.code).retryable)
  )
    throw error
  const moment = {
    input: call.input,
    ports: context.providers.of(call.tool, call.caller.tenant) as never,
    caller: call.caller,
    now: context.clock.now,
  }
  const answer = Promise.resolve(traceToCall(context, call.id, () => fallback(moment, error)))
  const raw = await withDeadline(call, context, answer)
  if (raw === undefined) throw error
  const checked = checkOutput(call.tool, raw)
  if (!checked.ok) throw invalidOutputError(call.tool.id, checked.problem, call.id)
  return {
    ...toDone(checked),
    source: 'fallback',
    warnings: [...checked.warnings, `This is a fallback answer: ${error.message}`],
  }
}

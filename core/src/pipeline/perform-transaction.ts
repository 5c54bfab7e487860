import { NOTHING_HASHED } from '../call/canonical.ts'
import type { Answer } from '../call/outcome.ts'
import { ToolError } from '../call/tool-error.ts'
import { type CheckedOutput, checkOutputOf, invalidOutputError } from '../define/check-output.ts'
import type { Work } from '../define/tool.ts'
import { successEntry } from '../ledger/audit.ts'
import type { Call } from '../ledger/call.ts'
import { claimCall, toClaimError, toClaimRequest } from '../ledger/claim-call.ts'
import { cancelledError, timeoutError, withDeadline } from '../ledger/deadline.ts'
import { answerFromRow, answerHeldKey } from '../ledger/idempotency.ts'
import { retryWhileRunning } from '../ledger/retry-while-running.ts'
import { withApprovedFacts } from './approve.ts'
import { Attempt, CallExecution, timeAttempt } from './attempt.ts'
import type { PipelineContext } from './context.ts'
import { passGates } from './gates.ts'
import { refuseChangedFacts } from './recheck-facts.ts'
import { withRetries } from './retry.ts'
import { failWithStray, traceToCall } from './stray-errors.ts'

type TransactionWork = Extract<Work, { kind: 'transaction' }>

/**
 * Executes an effect in our own database: claim, effect, audit and answer commit together or not at
 * all.
 */
export async function performTransaction(
  given: Call,
  work: TransactionWork,
  context: PipelineContext,
): Promise<Answer> {
  if (given.tool.contract.gates.length > 0)
    await withDeadline(given, context, passGates(given, context))
  const approving = withApprovedFacts(given, given.resumes, context)
  const call = approving instanceof Promise ? await approving : approving
  // Before the transaction, because ports cannot be read inside it. What is in our own tables may
  // still change until it runs, so it checks that again itself: `args` gets the approved facts.
  if (call.approved !== undefined) {
    const refused = await refuseChangedFacts(call, () => claimCall(call, context), context)
    if (refused !== undefined) return refused
  }
  const made = makeArgs(call, work, context)
  if (!made.ok) return answerInstead(call, made.thrown, context)
  const claim = toClaimRequest(call, context)
  // Where the store runs the function in this process, an error it leaves behind rolls it back.
  const apply: typeof work.apply = (tx, args) =>
    failWithStray(context, call.id, () => work.apply(tx, args))
  // A transaction that was rolled back can be repeated safely.
  const done = await withRetries(call, context, () =>
    retryWhileRunning(call, context, () =>
      timeAttempt(call, () =>
        withStoreDeadline(call, context, (timeoutMs) =>
          context.stores.calls.transact({
            claim,
            name: work.name,
            apply,
            args: made.args,
            timeoutMs,
            audit: successEntry(call, context, 'executed', NOTHING_HASHED),
          }),
        ),
      ),
    ),
  )
  switch (done.kind) {
    case 'running':
      throw done.error
    case 'held':
      return answerHeldKey(done.row, call, context)
    case 'done': {
      const checking = checkOutputOf(call, done.result)
      return answerCommitted(call, checking instanceof Promise ? await checking : checking)
    }
    default:
      throw toClaimError(call, done)
  }
}

function answerCommitted(call: Call, checked: CheckedOutput): Answer {
  const committed = { source: 'executed', originalCallId: undefined, audited: true } as const
  if (!checked.ok) {
    const error = invalidOutputError(call.tool.id, checked.problem, call.id)
    return { status: 'failed', error, ...committed }
  }
  const { data, warnings, output } = checked
  return { status: 'done', data, warnings, output, ...committed }
}

type MadeArgs =
  | { readonly ok: true; readonly args: unknown }
  | { readonly ok: false; readonly thrown: unknown }

function makeArgs(call: Call, work: TransactionWork, context: PipelineContext): MadeArgs {
  const given = {
    ports: context.providers.of(call.tool, call.caller.tenant),
    idempotencyKey: call.key,
  }
  try {
    const execution = new CallExecution(call, context, new Attempt(), given)
    return { ok: true, args: traceToCall(context, call.id, () => work.args(execution)) }
  } catch (thrown) {
    return { ok: false, thrown }
  }
}

// A call that was done under this key is answered, even if its arguments cannot be made today.
async function answerInstead(
  call: Call,
  thrown: unknown,
  context: PipelineContext,
): Promise<Answer> {
  const { caller, key, tool } = call
  const row = await context.stores.calls.find({
    tenant: caller.tenant,
    principal: caller.principal,
    toolId: tool.id,
    key,
  })
  const answer =
    row === undefined || call.resumes !== undefined
      ? undefined
      : await answerFromRow(row, call, context)
  if (answer === undefined) throw thrown
  return answer
}

// How long a commit that is under way at the deadline is waited for; a healthy disk is faster.
const COMMIT_GRACE_MS = 5_000

/**
 * One try of a transaction. The store enforces the timeout, because only the store knows whether it
 * rolled back or committed. A caller who disconnects stops nothing: it must not be reported as
 * "nothing happened".
 */
function withStoreDeadline<T>(
  call: Call,
  context: PipelineContext,
  work: (timeoutMs: number) => Promise<T>,
): Promise<T> {
  if (call.signal?.aborted) return Promise.reject(cancelledError(call))
  const timeoutMs = Math.min(
    call.tool.contract.timeoutMs,
    call.deadlineTicks - context.clock.ticks(),
  )
  if (timeoutMs <= 0) return Promise.reject(timeoutError(call, 0))
  return new Promise((resolve, reject) => {
    const stop = context.clock.after(timeoutMs + COMMIT_GRACE_MS, () => reject(inDoubtError(call)))
    work(timeoutMs).then(
      (done) => {
        stop()
        resolve(done)
      },
      (thrown) => {
        stop()
        reject(thrown)
      },
    )
  })
}

function inDoubtError(call: Call): ToolError {
  return new ToolError(
    'TOOL_STORAGE_ERROR',
    `The database does not say whether ${call.tool.id} was committed.`,
    { details: { call_id: call.id, settled: false } },
  )
}

import type { CallRow, StoredAnswer } from '../call/call-row.ts'
import { errorRow } from '../call/errors.ts'
import type { Pace } from '../call/json-in-turns/parse-in-pieces.ts'
import type { Maybe } from '../call/maybe.ts'
import type { Answer } from '../call/outcome.ts'
import { isToolError, ToolError } from '../call/tool-error.ts'
import {
  type CheckedOutput,
  checkOutput,
  checkOutputOf,
  invalidOutputError,
  plainJson,
} from '../define/check-output.ts'
import type { AuditEntry } from '../ports/audit.ts'
import type { Ending, Fence } from '../ports/calls.ts'
import { sleep } from '../ports/clock.ts'
import { failureEntry, successEntry } from './audit.ts'
import type { Call } from './call.ts'
import type { LedgerContext } from './context.ts'
import { awaitStore, ENDING_MS, storeTooSlow } from './deadline.ts'
import { mayStillHappen } from './doubts.ts'
import { answerHeldKey, outcomeUnknownError, providerWords } from './idempotency.ts'
import { keepLease } from './leases.ts'
import { onlyCallsTools } from './poison.ts'
import { toCallError } from './scrub.ts'

const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 2_000

export function fenceOf({ tenant, callId, fence, parentId }: CallRow): Fence {
  return { tenant, callId, fence, parentId }
}

/** Checks the output against its schema and stores it as the answer of the call. */
export function finishWithOutput(
  call: Call,
  row: CallRow,
  raw: unknown,
  context: LedgerContext,
): Maybe<Answer> {
  return call.pace === undefined
    ? storeChecked(call, row, checkOutput(call.tool, raw), context)
    : checkAndStoreInTurns(call, row, { raw, pace: call.pace }, context)
}

async function checkAndStoreInTurns(
  call: Call,
  row: CallRow,
  { raw, pace }: { readonly raw: unknown; readonly pace: Pace },
  context: LedgerContext,
): Promise<Answer> {
  const checked = await checkOutputOf(call, raw)
  if (checked.ok) await pace()
  return storeChecked(call, row, checked, context)
}

function storeChecked(
  call: Call,
  row: CallRow,
  checked: CheckedOutput,
  context: LedgerContext,
): Maybe<Answer> {
  if (!checked.ok) return finishWithInvalidOutput(call, row, checked.raw, checked.problem, context)
  const { data, output, warnings } = checked
  const answer = { kind: 'output', json: JSON.stringify(data), warnings } as const
  const ending: Ending = { state: 'succeeded', answer, isSecret: row.isSecret }
  const audit = successEntry(call, context, 'executed', output)
  const finishing = finishCall(call, row, ending, audit, context)
  const done = {
    status: 'done',
    data,
    source: 'executed',
    warnings,
    originalCallId: undefined,
    audited: true,
    output,
  } as const
  const settle = (isOurs: boolean): Maybe<Answer> =>
    isOurs ? done : onClaimLost(call, row, { ok: true, value: data }, context)
  return finishing instanceof Promise ? finishing.then(settle) : settle(finishing)
}

/**
 * The effect has happened, so a write stays `succeeded`: repeating it because its output is invalid
 * would do it twice.
 */
export async function finishWithInvalidOutput(
  call: Call,
  row: CallRow,
  raw: unknown,
  problem: string,
  context: LedgerContext,
): Promise<Answer> {
  const error = invalidOutputError(call.tool.id, problem, call.id)
  if (!call.tool.contract.isWrite)
    return finishWithError(call, row, error, toFailureEnding(row, error), context)
  const answer = {
    kind: 'invalid_output',
    json: plainJson(raw) ?? JSON.stringify(String(raw)),
    problem,
  } as const
  const ending: Ending = { state: 'succeeded', answer, isSecret: row.isSecret }
  return finishWithError(call, row, error, ending, context)
}

/**
 * Stores that it is not known whether the effect happened; an administrator settles it with
 * `resolveUnknown`.
 */
export async function markUnknown(
  call: Call,
  row: CallRow,
  cause: ToolError,
  context: LedgerContext,
): Promise<Answer> {
  if (cause.code === 'TOOL_RUN_DIVERGED')
    return finishWithError(call, row, cause, toFailureEnding(row, cause, 'unknown'), context)
  const error = outcomeUnknownError(row, cause)
  // The words of the provider may be all that an administrator can go by, so they are stored.
  const ending: Ending =
    providerWords(cause) === undefined
      ? { state: 'unknown' }
      : toFailureEnding(row, error, 'unknown')
  return finishWithError(call, row, error, ending, context)
}

/** Stores a call as unknown that processes died with, with its evidence. */
export async function quarantine(
  call: Call,
  row: CallRow,
  context: LedgerContext,
): Promise<Answer> {
  const sent =
    row.effect === undefined
      ? 'No effect had been started.'
      : `The effect ${row.effect.port}.${row.effect.method} had been started.`
  const message = `${row.deaths} processes ended while they executed ${row.toolId} (${row.callId}), so it is not tried again. ${sent}`
  const evidence = { fence: row.fence, what: 'quarantine', text: message } as const
  await context.stores.calls.addEvidence(fenceOf(row), { ...evidence, at: context.clock.now() })
  const error = new ToolError('TOOL_OUTCOME_UNKNOWN', message, {
    details: { call_id: row.callId, source_code: 'quarantined', deaths: row.deaths },
    suggestions: [
      'An administrator finds out whether it happened, and settles the call with evidence.',
      'If the code of the tool may end its process, run it isolated: as a script of @surehand/isolation.',
    ],
  })
  return finishWithError(call, row, error, toFailureEnding(row, error, 'unknown'), context)
}

/** Stores the ending of a call that failed. */
export async function finishWithError(
  call: Call,
  row: CallRow,
  error: ToolError,
  ending: Ending,
  context: LedgerContext,
): Promise<Answer> {
  const audit = failureEntry(call, context, error, 'executed')
  if (!(await finishCall(call, row, ending, audit, context))) {
    const hadNoEffect = ending.state === 'released' || ending.state === 'queued'
    return onClaimLost(call, row, { ok: false, error, hadNoEffect }, context)
  }
  return { status: 'failed', error, source: 'executed', originalCallId: undefined, audited: true }
}

/**
 * Ends the lease without an ending: the next caller with the key, or the sweep, recovers the call.
 */
export async function abandonClaim(
  row: CallRow,
  error: ToolError,
  context: LedgerContext,
): Promise<Answer> {
  // If it cannot be written, the lease expires by itself.
  await Promise.resolve(context.stores.calls.abandon(fenceOf(row))).catch(() => undefined)
  return {
    status: 'failed',
    error: mayStillHappen(row, error),
    source: 'executed',
    originalCallId: undefined,
    audited: false,
  }
}

/** What an attempt returned after its deadline. */
export type LateResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: ToolError }

/**
 * Another process took over the claim while this one worked. The result found here is stored as
 * evidence, and the row gives the answer. `hadNoEffect`: this process ended before the effect.
 */
export async function onClaimLost(
  call: Call,
  row: CallRow,
  result: (LateResult & { readonly hadNoEffect?: boolean }) | undefined,
  context: LedgerContext,
): Promise<Answer> {
  if (result !== undefined) await storeEvidence(result, call, row, context)
  const now = await context.stores.calls.get(row.tenant, row.callId)
  if (now !== undefined) return answerHeldKey(now, call, context)
  // A database may lose a claim that had no effect yet in a power failure, and its row with it.
  if (result !== undefined && !result.hadNoEffect) throw outcomeUnknownError(row)
  throw new ToolError(
    'TOOL_STORAGE_ERROR',
    `The database lost the claim of ${call.tool.id}; nothing has happened.`,
    { effect: 'none', details: { source_code: CLAIM_VANISHED } },
  )
}

export function toFailureEnding(
  row: CallRow,
  error: ToolError,
  state: 'failed' | 'unknown' | 'released' | 'cancelled' = 'failed',
): Ending {
  return { state, isSecret: row.isSecret, answer: toStoredError(error) }
}

const MOST_JOB_TRIES = 10

/** There was no effect: a caller may try again under its key, and a worker tries a job again. */
export function toReleasedEnding(call: Call, row: CallRow, error: ToolError): Ending {
  if (call.resumes === undefined) return { state: 'released' }
  // Deaths count as tries too, and work that only calls tools, such as on an event that nobody sends
  // again, has survived them.
  const mayTry = row.fence < MOST_JOB_TRIES || onlyCallsTools(call.tool)
  // A job's error is stored, because its caller fetches the answer later.
  return mayTry && errorRow(error.code).retryable
    ? { state: 'queued' }
    : toFailureEnding(row, error, 'released')
}

/** An error as the ledger and journals store it. */
export function toStoredError(error: ToolError): Extract<StoredAnswer, { kind: 'error' }> {
  return {
    kind: 'error',
    code: error.code,
    message: error.message,
    details: JSON.stringify(error.details ?? {}),
    data: JSON.stringify(error.data),
  }
}

/**
 * Adds a late result to the row for the administrator. If it cannot be written it is lost; the
 * row's state stands without it.
 */
export async function storeEvidence(
  late: LateResult,
  call: Call,
  row: CallRow,
  context: LedgerContext,
): Promise<void> {
  const at = context.clock.now()
  const found = late.ok
    ? { what: 'late_result' as const, text: plainJson(late.value) ?? String(late.value) }
    : { what: 'late_error' as const, text: describeError(toCallError(late.error, call, context)) }
  try {
    await context.stores.calls.addEvidence(fenceOf(row), { fence: row.fence, at, ...found })
  } catch {
    return
  }
}

function describeError({ code, message }: ToolError): string {
  return `${code}: ${message}`
}

// How long an ending is tried after its caller was answered: only this process knows what the
// provider answered.
const KEEP_TRYING_MS = 60_000

/**
 * Writes how a call ended; false when another process holds the row. Its caller is answered at the
 * deadline; the claim is held until the ending is written.
 */
function finishCall(
  call: Call,
  row: CallRow,
  ending: Ending,
  audit: AuditEntry,
  context: LedgerContext,
): Maybe<boolean> {
  const write = (): Maybe<boolean> => context.stores.calls.finish(fenceOf(row), ending, audit)
  const first = startWrite(write)
  if (typeof first === 'boolean') return first
  const writing = writeEnding(first, { call, row, ending, write }, context)
  return awaitStore(call, context, writing, {
    leastMs: ENDING_MS,
    late() {
      const release = context.leases.hold(row)
      const lease = keepLease(row, context)
      const end = (): void => {
        lease.stop()
        release()
      }
      writing.then(end, end)
      return notStored(call, row, storeTooSlow(call))
    },
  })
}

function startWrite<T>(work: () => Maybe<T>): Maybe<T> {
  try {
    return work()
  } catch (thrown) {
    return Promise.reject(thrown)
  }
}

type EndingWrite = {
  readonly call: Call
  readonly row: CallRow
  readonly ending: Ending
  readonly write: () => Maybe<boolean>
}

async function writeEnding(
  first: Promise<boolean>,
  { call, row, ending, write }: EndingWrite,
  context: LedgerContext,
): Promise<boolean> {
  const untilTicks = call.deadlineTicks + (call.resumes === undefined ? KEEP_TRYING_MS : 0)
  for (let tries = 0; ; tries++) {
    try {
      const isOurs = await (tries === 0 ? first : write())
      // An earlier try may have been written although its response was lost.
      return isOurs || (tries > 0 && (await isWritten(row, ending, context)))
    } catch (cause) {
      const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries)
      if (context.clock.ticks() + pauseMs >= untilTicks) throw notStored(call, row, cause)
      await sleep(context.clock, pauseMs)
    }
  }
}

async function isWritten(row: CallRow, ending: Ending, context: LedgerContext): Promise<boolean> {
  const now = await context.stores.calls.get(row.tenant, row.callId)
  return now?.fence === row.fence && now.state === ending.state
}

/** The row does not exist any more, so nothing continues the call. */
const CLAIM_VANISHED = 'claim_vanished'

/**
 * A failure of the store after the claim: the claim is written and its ending is not, so the call
 * may still happen.
 */
export function afterClaim(thrown: unknown, call: Call, row: CallRow): unknown {
  const isOpen =
    isToolError(thrown) &&
    thrown.code === 'TOOL_STORAGE_ERROR' &&
    thrown.details?.source_code !== CLAIM_VANISHED
  return isOpen ? notStored(call, row, thrown) : thrown
}

function notStored(call: Call, row: CallRow, cause: unknown): ToolError {
  return new ToolError(
    'TOOL_STORAGE_ERROR',
    `The outcome of ${call.tool.id} could not be stored: the database cannot be reached.`,
    {
      details: { call_id: row.callId, settled: false },
      cause,
    },
  )
}

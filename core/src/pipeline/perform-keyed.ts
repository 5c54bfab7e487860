import type { Call } from '../call/call.ts'
import { errorRow } from '../call/errors.ts'
import type { Answer } from '../call/outcome.ts'
import { ToolError, toToolError } from '../call/tool-error.ts'
import type { Work } from '../define/tool.ts'
import type { CallRow, Ending } from '../ports/calls.ts'
import { heldAnswer, invalidOutput, outcomeUnknown } from './answer-for.ts'
import { attempt, type Late } from './attempt.ts'
import { failureEntry, successEntry } from './audit-entry.ts'
import { guardMs, possibleDuplicate } from './duplicate.ts'
import { fenceOf, finishCall } from './finish-call.ts'
import { passGates } from './gates.ts'
import { inTime } from './in-time.ts'
import { keepLease } from './lease.ts'
import { newCall } from './new-call.ts'
import { outdated } from './outdated.ts'
import { checkOutput, plainJson } from './output.ts'
import { OutsideEffect } from './outside-effect.ts'
import type { Parts } from './parts.ts'
import { mayRetry } from './retry.ts'
import { scrub } from './scrub.ts'

const JOB_TRIES = 10

type Execute = Extract<Work, { kind: 'execute' }>

/** A call with a row: claim, attempt, keep. */
export async function performKeyed(call: Call, work: Execute, parts: Parts): Promise<Answer> {
  const claim = await parts.stores.calls.claim({
    call: newCall(call, parts),
    leaseMs: parts.leaseMs,
    resumes: call.resumes !== undefined,
    guardMs: guardMs(call),
    adminVersion: call.adminVersion,
  })
  switch (claim.kind) {
    case 'held':
      return heldAnswer(claim.row, call, parts)
    case 'duplicate':
      throw possibleDuplicate(call, claim.row)
    case 'approval_lapsed':
      throw approvalLapsed(call)
    case 'outdated':
      throw outdated(call)
    case 'claimed':
    case 'recover': {
      // a call that must end long before its lease needs nobody to renew it
      if (call.deadlineTicks - call.startedTicks < parts.leaseMs / 2) return drive(call, claim.row, work, parts)
      const lease = keepLease(fenceOf(claim.row), parts)
      return drive(call, claim.row, work, parts).finally(lease.stop)
    }
  }
}

export function approvalLapsed(call: Call): ToolError {
  return new ToolError('TOOL_APPROVAL_DENIED', `The yes to ${call.tool.id} expired before it was used.`, {
    suggestions: ['Ask again: a new question is put.'],
  })
}

async function drive(call: Call, row: CallRow, work: Execute, parts: Parts): Promise<Answer> {
  const effect = new OutsideEffect(call, row, parts)
  if (effect.isLost) return giveUp(call, row, new ToolError('TOOL_OUTCOME_UNKNOWN', 'It was under way when its process died.'), parts)
  if (row.effect === undefined && call.tool.contract.gates.length > 0) {
    const refused = await askGatesAgain(call, row, parts)
    if (refused !== undefined) return refused
  }
  parts.providers.retryBudget(call.tool).countCall()
  const onLate = (late: Late): void => void keepEvidence(late, call, row, parts)
  for (let retry = 0, looks = 0; ; ) {
    let raw: unknown
    try {
      raw = await attempt(call, parts, (current) => effect.execute(current, work), onLate)
    } catch (thrown) {
      const error = scrub(toToolError(thrown), call)
      const verdict = effect.judge(error)
      switch (verdict) {
        case 'look':
          // what was found absent may be sent again, as often as any other failure
          if (looks++ <= call.tool.contract.retries) continue
          return leaveUnsettled(row, error, parts)
        case 'nothing':
        case 'again':
          if (await mayRetryQuietly(call, retry++, error, parts)) continue
          return verdict === 'nothing' ? end(call, row, error, letGo(call, row, error), parts) : leaveUnsettled(row, error, parts)
        case 'refused':
          return end(
            call,
            row,
            error,
            call.tool.contract.onRefusal === 'release' ? { state: 'released' } : storedFailure(row, error),
            parts,
          )
        case 'later':
          return leaveUnsettled(row, error, parts)
        case 'unknown':
          return giveUp(call, row, error, parts)
        case 'done':
          return keepBroken(call, row, effect.result?.value, error.message, parts)
        case 'zombie':
          return zombie(call, row, undefined, parts)
      }
    }
    return keep(call, row, raw, parts)
  }
}

// nothing happened: a caller may try again under its key, a job is tried again by its worker
function letGo(call: Call, row: CallRow, error: ToolError): Ending {
  const isWorthIt = call.resumes !== undefined && row.fence < JOB_TRIES && errorRow(error.code).retryable
  return { state: isWorthIt ? 'queued' : 'released' }
}

// a cancellation during the pause is told as the failure that came before it
async function mayRetryQuietly(call: Call, retry: number, error: ToolError, parts: Parts): Promise<boolean> {
  try {
    return await mayRetry(call, retry, error, parts)
  } catch {
    return false // the caller left during the pause
  }
}

async function askGatesAgain(call: Call, row: CallRow, parts: Parts): Promise<Answer | undefined> {
  try {
    await inTime(call, parts, passGates(call, parts))
    return undefined
  } catch (thrown) {
    return end(call, row, scrub(toToolError(thrown), call), { state: 'released' }, parts)
  }
}

async function keep(call: Call, row: CallRow, raw: unknown, parts: Parts): Promise<Answer> {
  const checked = checkOutput(call.tool, raw)
  if (!checked.ok) return keepBroken(call, row, checked.raw, checked.problem, parts)
  const { data, output, warnings } = checked
  const answer = { kind: 'output', json: JSON.stringify(data), warnings } as const
  const ending: Ending = { state: 'succeeded', answer, isSecret: row.isSecret }
  const ours = await finishCall(call, row, ending, successEntry(call, parts, 'executed', output), parts)
  if (!ours) return zombie(call, row, { ok: true, value: data }, parts)
  return { status: 'done', data, source: 'executed', warnings, originalCallId: undefined, audited: true, output }
}

// the effect is there: doing it again because its answer is odd would be the worse mistake
async function keepBroken(call: Call, row: CallRow, raw: unknown, problem: string, parts: Parts): Promise<Answer> {
  const error = invalidOutput(call.tool.id, problem, call.id)
  if (!call.tool.contract.isWrite) return end(call, row, error, storedFailure(row, error), parts)
  const answer = { kind: 'invalid_output', json: plainJson(raw) ?? JSON.stringify(String(raw)), problem } as const
  return end(call, row, error, { state: 'succeeded', answer, isSecret: row.isSecret }, parts)
}

async function giveUp(call: Call, row: CallRow, cause: ToolError, parts: Parts): Promise<Answer> {
  const error = cause.code === 'TOOL_RUN_DIVERGED' ? cause : outcomeUnknown(row, cause)
  return end(call, row, error, { state: 'unknown' }, parts)
}

async function end(call: Call, row: CallRow, error: ToolError, ending: Ending, parts: Parts): Promise<Answer> {
  const ours = await finishCall(call, row, ending, failureEntry(call, parts, error, 'executed'), parts)
  if (!ours) return zombie(call, row, { ok: false, error, didNothing: ending.state === 'released' || ending.state === 'queued' }, parts)
  return { status: 'failed', error, source: 'executed', originalCallId: undefined, audited: true }
}

// the key stays held: whoever comes next, or the sweep, drives it on by its recovery class
async function leaveUnsettled(row: CallRow, error: ToolError, parts: Parts): Promise<Answer> {
  await parts.stores.calls.abandon(fenceOf(row))
  const suggestions = ['Call again with the same idempotency key: it is driven on, nothing is done twice.']
  const told = new ToolError(error.code, error.message, {
    details: { ...error.details, call_id: row.callId, settled: false },
    suggestions,
    cause: error,
  })
  return { status: 'failed', error: told, source: 'executed', originalCallId: undefined, audited: false }
}

/** What a run comes home with; `didNothing`: it ended before its effect. */
type Brought = Late & { readonly didNothing?: boolean }

/** Our claim was taken while we worked: what we did is evidence, what the row says is the answer. */
async function zombie(call: Call, row: CallRow, brought: Brought | undefined, parts: Parts): Promise<Answer> {
  if (brought !== undefined) await keepEvidence(brought, call, row, parts)
  const now = await parts.stores.calls.get(row.tenant, row.callId)
  // a claim that nothing was done under may be lost with the database's power, and its row with it
  if (now === undefined) throw brought === undefined || brought.didNothing ? claimLost(call) : outcomeUnknown(row)
  return heldAnswer(now, call, parts)
}

function claimLost(call: Call): ToolError {
  return new ToolError('TOOL_STORAGE_ERROR', `The claim of ${call.tool.id} was lost with the database; nothing has happened.`, {
    effect: 'none',
  })
}

function storedFailure(row: CallRow, error: ToolError): Ending {
  return {
    state: 'failed',
    isSecret: row.isSecret,
    answer: {
      kind: 'error',
      code: error.code,
      message: error.message,
      details: JSON.stringify(error.details ?? {}),
      data: JSON.stringify(error.data),
    },
  }
}

// evidence that can't be written is lost; the row's state stands without it
async function keepEvidence(late: Late, call: Call, row: CallRow, parts: Parts): Promise<void> {
  const at = parts.clock.now()
  const found = late.ok
    ? { what: 'late_result' as const, text: plainJson(late.value) ?? String(late.value) }
    : { what: 'late_error' as const, text: toldError(late.error, call) }
  try {
    await parts.stores.calls.addEvidence(fenceOf(row), { fence: row.fence, at, ...found })
  } catch {
    return
  }
}

function toldError(error: ToolError, call: Call): string {
  const told = scrub(error, call)
  return `${told.code}: ${told.message}`
}

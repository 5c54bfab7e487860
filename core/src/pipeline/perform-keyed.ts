import type { Call } from '../call/call.ts'
import { errorRow } from '../call/errors.ts'
import type { Answer } from '../call/outcome.ts'
import { ToolError, toToolError } from '../call/tool-error.ts'
import type { Work } from '../define/tool.ts'
import type { CallRow, Ending } from '../ports/calls.ts'
import { withProgress } from '../runs/progress.ts'
import { attempt, type Late } from './attempt.ts'
import {
  end,
  giveUp,
  keep,
  keepBroken,
  keepEvidence,
  leaveUnsettled,
  storedFailure,
  zombie,
} from './endings.ts'
import { fenceOf } from './finish-call.ts'
import { passGates } from './gates.ts'
import { inTime } from './in-time.ts'
import { keepLease } from './lease.ts'
import { OutsideEffect } from './outside-effect.ts'
import type { PipelineContext } from './parts.ts'
import { mayRetry } from './retry.ts'
import { scrub } from './scrub.ts'
import { takeCall } from './take-call.ts'
import { watchForStop } from './watch-for-stop.ts'

const JOB_TRIES = 10

type Execute = Extract<Work, { kind: 'execute' }>

/** A call with a row: claim, attempt, keep. */
export async function performKeyed(call: Call, work: Execute, parts: PipelineContext): Promise<Answer> {
  const taken = await takeCall(call, parts)
  if ('answer' in taken) return taken.answer
  const { row } = taken
  const told =
    call.resumes === undefined ? { call, flush: undefined } : withProgress(call, row, parts)
  const watch =
    call.resumes === undefined
      ? undefined
      : watchForStop(row, parts, () => parts.driven.get(row.callId)?.abort())
  // a call that must end long before its lease needs nobody to renew it
  const lease =
    call.deadlineTicks - call.startedTicks < parts.leaseMs / 2
      ? undefined
      : keepLease(fenceOf(row), parts)
  try {
    return await drive(told.call, row, work, parts)
  } finally {
    await told.flush?.()
    watch?.stop()
    lease?.stop()
  }
}

async function drive(call: Call, row: CallRow, work: Execute, parts: PipelineContext): Promise<Answer> {
  const effect = new OutsideEffect(call, row, parts)
  if (effect.isLost)
    return giveUp(
      call,
      row,
      new ToolError('TOOL_OUTCOME_UNKNOWN', 'It was under way when its process died.'),
      parts,
    )
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
          return verdict === 'nothing'
            ? end(call, row, error, letGo(call, row, error), parts)
            : leaveUnsettled(row, error, parts)
        case 'refused':
          return end(
            call,
            row,
            error,
            call.tool.contract.onRefusal === 'release'
              ? { state: 'released' }
              : storedFailure(row, error),
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
  if (call.resumes === undefined) return { state: 'released' }
  // whoever fetches a job's answer hears why there is none
  return row.fence < JOB_TRIES && errorRow(error.code).retryable
    ? { state: 'queued' }
    : storedFailure(row, error, 'released')
}

// a cancellation during the pause is told as the failure that came before it
async function mayRetryQuietly(
  call: Call,
  retry: number,
  error: ToolError,
  parts: PipelineContext,
): Promise<boolean> {
  try {
    return await mayRetry(call, retry, error, parts)
  } catch {
    return false // the caller left during the pause
  }
}

async function askGatesAgain(call: Call, row: CallRow, parts: PipelineContext): Promise<Answer | undefined> {
  try {
    await inTime(call, parts, passGates(call, parts))
    return undefined
  } catch (thrown) {
    return end(call, row, scrub(toToolError(thrown), call), { state: 'released' }, parts)
  }
}

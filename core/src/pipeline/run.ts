import type { Answer, Outcome } from '../call/outcome.ts'
import type { CallRequest } from '../call/request.ts'
import { ToolError } from '../call/tool-error.ts'
import type { Tool } from '../define/tool.ts'
import type { Call } from '../ledger/call.ts'
import { ADMINISTRATION_CHANGED } from '../ledger/claim-call.ts'
import { scrub, toPublicError } from '../ledger/scrub.ts'
import { admit } from './admit.ts'
import { approve } from './approve.ts'
import { authorize } from './authorize.ts'
import type { PipelineContext } from './context.ts'
import { defer } from './defer.ts'
import { perform } from './perform.ts'
import { recall } from './recall.ts'
import { type PipelineResult, record, toFailedAnswer } from './record.ts'
import { replay } from './replay.ts'
import { resolve } from './resolve.ts'
import { type AnsweringStage, type CallStart, runGate, runStage, startCall } from './stage.ts'
import { validate } from './validate.ts'

/**
 * The stages that may answer a call, after the gates `resolve`, `validate` and `authorize`. The order is a security
 * property: rights before answers, answers before quota, quota before people, people before effects.
 */
const STAGES: readonly AnsweringStage[] = [
  replay, // the answer stored under this idempotency key
  recall, // the cached answer of a read
  admit, // checks, gates, rate limits and budgets
  approve, // a person has to approve it first
  defer, // a worker executes it later
  perform, // execute it now and store the answer
]

// An administrator who keeps changing things must not hold up a call for ever.
const MOST_ROUNDS = 3

/** Runs a call of any surface through the pipeline, and records it however it ends. */
export async function runCall(request: CallRequest, context: PipelineContext): Promise<Outcome> {
  let start = startCall(request, context)
  let result = await runStages(start, request, context)
  for (let round = 1; round < MOST_ROUNDS && isOutdated(result.answer); round++) {
    await context.administration.reload(start.tenant).catch(() => undefined)
    start = {
      ...start,
      adminVersion: context.administration.versionOf(start.tenant),
      isCounted: true,
    }
    result = await runStages(start, request, context)
  }
  return record(start, result, context)
}

async function runStages(
  start: CallStart,
  request: CallRequest,
  context: PipelineContext,
): Promise<PipelineResult> {
  let tool: Tool | undefined
  let call: Call | undefined
  let answer: Answer | undefined
  try {
    const loading = context.administration.ready(start.tenant)
    const current = loading === undefined ? start : await afterLoading(start, loading, context)
    tool = runGate(resolve, request, current, context)
    call = runGate(validate, { start: current, request, tool }, current, context)
    runGate(authorize, call, current, context)
    for (const stage of STAGES) {
      const coming = runStage(stage, call, current, context)
      // A stage that has nothing to do for this tool returns synchronously, without a turn of the event loop.
      answer = coming instanceof Promise ? await coming : coming
      if (answer !== undefined) break
    }
  } catch (thrown) {
    const error = toPublicError(thrown, start.callId, context)
    answer = toFailedAnswer(call === undefined ? error : scrub(error, call))
  }
  return { request, tool, call, answer: answer ?? answerMissing() }
}

async function afterLoading(
  start: CallStart,
  loading: Promise<void>,
  context: PipelineContext,
): Promise<CallStart> {
  await loading
  return { ...start, adminVersion: context.administration.versionOf(start.tenant) }
}

function isOutdated(answer: Answer): boolean {
  return answer.status === 'failed' && answer.error.details?.source_code === ADMINISTRATION_CHANGED
}

// `perform` always answers, but the type of a stage does not say so.
function answerMissing(): Answer {
  return toFailedAnswer(new ToolError('TOOL_INTERNAL_ERROR', 'No stage answered.'))
}

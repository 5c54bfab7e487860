import type { Pace } from '../call/json-in-turns/parse-in-pieces.ts'
import type { Answer, Outcome } from '../call/outcome.ts'
import type { CallRequest } from '../call/request.ts'
import { ToolError } from '../call/tool-error.ts'
import type { Tool } from '../define/tool.ts'
import type { Call } from '../ledger/call.ts'
import { ADMINISTRATION_CHANGED } from '../ledger/claim-call.ts'
import { awaitStore, ENDING_MS } from '../ledger/deadline.ts'
import { storeLostError } from '../ledger/doubts.ts'
import { scrub, toPublicError } from '../ledger/scrub.ts'
import type { CallSpan, StageMeasure, Telemetry } from '../ports/telemetry.ts'
import { admit } from './admit.ts'
import { approve } from './approve.ts'
import { authorize } from './authorize.ts'
import type { CallStart, PipelineContext } from './context.ts'
import { defer } from './defer.ts'
import { perform } from './perform.ts'
import { recall } from './recall.ts'
import { type PipelineResult, record, toFailedAnswer } from './record.ts'
import { replay } from './replay.ts'
import { resolve } from './resolve.ts'
import { type ResolvedRequest, validate } from './validate.ts'

type Stage<A> = (call: Call, context: PipelineContext) => A | Promise<A>

/**
 * The stages that may answer a call, after the gates `resolve`, `validate` and `authorize`. The
 * order is a security property: rights before answers, answers before quota, quota before people,
 * people before effects.
 */
const STAGES: readonly Stage<Answer | undefined>[] = [
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
      hasUsedQuota: true,
    }
    result = await runStages(start, request, context)
  }
  if (request.pace !== undefined) await request.pace()
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
  let reached: Stage<Answer | undefined> | undefined
  try {
    const loading = context.administration.ready(start.tenant, start.startedTicks)
    const current = loading === undefined ? start : await afterLoading(start, loading, context)
    tool = runGate(resolve, request, current, context)
    const resolved = { start: current, request, tool }
    call =
      request.pace === undefined
        ? runGate(validate, resolved, current, context)
        : await validateLarge(resolved, request.pace, context)
    runGate(authorize, call, current, context)
    for (const stage of STAGES) {
      reached = stage
      const coming = runStage(stage, call, current, context)
      // A stage that has nothing to do for this tool returns synchronously, without a turn of the
      // event loop.
      answer = coming instanceof Promise ? await awaitStage(stage, coming, call, context) : coming
      if (answer !== undefined) break
    }
  } catch (thrown) {
    const error = toPublicError(thrown, start.callId, context)
    answer = toFailedAnswer(
      call === undefined ? error : scrub(orUnknown(error, call, reached, context), call),
    )
  }
  return { request, tool, call, answer: answer ?? answerMissing() }
}

async function validateLarge(
  resolved: ResolvedRequest,
  pace: Pace,
  context: PipelineContext,
): Promise<Call> {
  // Loaded on first use: a command that calls one tool never needs it.
  const { validateInTurns } = await import('./validate-in-turns.ts')
  const startedTicks = context.clock.ticks()
  let outcome: StageMeasure['outcome'] = 'refused'
  try {
    const call = await validateInTurns(resolved, pace, context)
    outcome = 'passed'
    return call
  } finally {
    if (isTimed(resolved.start))
      measureStage(validate.name, outcome, startedTicks, resolved.start, context)
    // What follows has a turn of its own.
    await pace()
  }
}

// `perform` keeps the deadline itself, because it knows what has happened by then.
function awaitStage<A>(
  stage: unknown,
  coming: Promise<A>,
  call: Call,
  context: PipelineContext,
): Promise<A> {
  return stage === perform ? coming : awaitStore(call, context, coming, { graceMs: ENDING_MS })
}

// The stages that write the row of a call: once it may be written, the call may happen.
const WRITING: ReadonlySet<unknown> = new Set([approve, defer, perform])

/**
 * A failure of the store may hide that the call happened or will happen. Calls that are continued
 * and steps of a run keep the failure: their row decides what becomes of them.
 */
function orUnknown(
  error: ToolError,
  call: Call,
  reached: unknown,
  { doubts }: PipelineContext,
): ToolError {
  const { tool, resumes, parentId } = call
  const isRun = tool.work.kind === 'run'
  const mayHappen = WRITING.has(reached) && (isRun || tool.contract.isWrite)
  if (error.code !== 'TOOL_STORAGE_ERROR' || !mayHappen) return error
  if ((error.effect === 'none' && !isRun) || resumes !== undefined || parentId !== undefined)
    return error
  doubts.add(call)
  return storeLostError(call, error)
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

/** Gives the call its id and its start time; a resumed call keeps the id it was announced under. */
export function startCall(request: CallRequest, context: PipelineContext): CallStart {
  const startedAt = context.clock.now()
  const startedTicks = context.clock.ticks()
  const callId =
    request.resumes?.callId ?? request.step?.callId ?? context.entropy.newId('call', startedAt)
  const { tenant } = request.caller
  return {
    callId,
    tool: request.tool,
    tenant,
    startedAt,
    startedTicks,
    timeline: context.openTimeline?.(tenant, startedTicks),
    span: startSpan(context.telemetry, { callId, tool: request.tool, tenant }),
    adminVersion: context.administration.versionOf(tenant),
    hasUsedQuota: false,
  }
}

/** A span whose exceptions are ignored: broken telemetry must not break the call. */
function startSpan(
  telemetry: Telemetry | undefined,
  start: Parameters<Telemetry['startCall']>[0],
): CallSpan | undefined {
  if (telemetry === undefined) return undefined
  const span = ignoreErrors(() => telemetry.startCall(start))
  if (span === undefined) return undefined
  const { stage } = span
  return {
    end: (measure) => ignoreErrors(() => span.end(measure)),
    ...(stage === undefined
      ? {}
      : { stage: (measure) => ignoreErrors(() => stage.call(span, measure)) }),
  }
}

function ignoreErrors<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

function isTimed({ span, timeline }: CallStart): boolean {
  return timeline !== undefined || span?.stage !== undefined
}

/** Runs a stage that either throws or returns what the next stage needs. */
function runGate<V, T>(
  stage: (value: V, context: PipelineContext) => T,
  value: V,
  start: CallStart,
  context: PipelineContext,
): T {
  if (!isTimed(start)) return stage(value, context)
  const startedTicks = context.clock.ticks()
  let outcome: StageMeasure['outcome'] = 'refused'
  try {
    const passed = stage(value, context)
    outcome = 'passed'
    return passed
  } finally {
    measureStage(stage.name, outcome, startedTicks, start, context)
  }
}

/** Runs a stage that may answer. It is measured only if its measure goes somewhere. */
function runStage<A extends Answer | undefined>(
  stage: Stage<A>,
  call: Call,
  start: CallStart,
  context: PipelineContext,
): A | Promise<A> {
  if (!isTimed(start)) return stage(call, context)
  const startedTicks = context.clock.ticks()
  let answer: A | Promise<A>
  try {
    answer = stage(call, context)
  } catch (thrown) {
    measureStage(stage.name, 'refused', startedTicks, start, context)
    throw thrown
  }
  if (answer instanceof Promise)
    return measureAsync(stage.name, answer, startedTicks, start, context)
  const outcome = answer === undefined ? 'passed' : 'answered'
  measureStage(stage.name, outcome, startedTicks, start, context)
  return answer
}

async function measureAsync<A extends Answer | undefined>(
  step: string,
  coming: Promise<A>,
  startedTicks: number,
  start: CallStart,
  context: PipelineContext,
): Promise<A> {
  let outcome: StageMeasure['outcome'] = 'refused'
  try {
    const answer = await coming
    outcome = answer === undefined ? 'passed' : 'answered'
    return answer
  } finally {
    measureStage(step, outcome, startedTicks, start, context)
  }
}

function measureStage(
  step: string,
  outcome: StageMeasure['outcome'],
  startedTicks: number,
  start: CallStart,
  context: PipelineContext,
): void {
  start.timeline?.addStage(step, outcome, startedTicks)
  start.span?.stage?.({
    step,
    tool: start.tool,
    tenant: start.tenant,
    outcome,
    durationMs: context.clock.ticks() - startedTicks,
  })
}

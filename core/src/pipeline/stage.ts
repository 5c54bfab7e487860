import type { Answer } from '../call/outcome.ts'
import type { CallRequest } from '../call/request.ts'
import type { Call } from '../ledger/call.ts'
import type { CallSpan, StageMeasure, Telemetry } from '../ports/telemetry.ts'
import type { PipelineContext } from './context.ts'

export type Stage<A> = (call: Call, context: PipelineContext) => A | Promise<A>
export type AnsweringStage = Stage<Answer | undefined>

/** What is known of a call before its first stage. */
export type CallStart = {
  readonly callId: string
  readonly tool: string
  readonly tenant: string
  readonly startedAt: number
  readonly startedTicks: number
  readonly span: CallSpan | undefined
  /** The version of the tenant's administration by which the call is authorized; its claim compares it. */
  readonly adminVersion: number | undefined
  /** The call has used quota already: a second round through the stages uses none. */
  readonly isCounted: boolean
}

/** Gives the call its id and its start time; a resumed call keeps the id it was announced under. */
export function startCall(request: CallRequest, context: PipelineContext): CallStart {
  const startedAt = context.clock.now()
  const callId =
    request.resumes?.callId ?? request.step?.callId ?? context.entropy.newId('call', startedAt)
  const { tenant } = request.caller
  return {
    callId,
    tool: request.tool,
    tenant,
    startedAt,
    startedTicks: context.clock.ticks(),
    span: startSpan(context.telemetry, { callId, tool: request.tool, tenant }),
    adminVersion: context.administration.versionOf(tenant),
    isCounted: false,
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

/** Runs a stage that either throws or returns what the next stage needs. */
export function runGate<V, T>(
  stage: (value: V, context: PipelineContext) => T,
  value: V,
  start: CallStart,
  context: PipelineContext,
): T {
  if (start.span?.stage === undefined) return stage(value, context)
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

/** Runs a stage that may answer. It is measured only if the telemetry wants the measures of stages. */
export function runStage<A extends Answer | undefined>(
  stage: Stage<A>,
  call: Call,
  start: CallStart,
  context: PipelineContext,
): A | Promise<A> {
  if (start.span?.stage === undefined) return stage(call, context)
  const startedTicks = context.clock.ticks()
  const answer = stage(call, context)
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
  start.span?.stage?.({
    step,
    tool: start.tool,
    tenant: start.tenant,
    outcome,
    durationMs: context.clock.ticks() - startedTicks,
  })
}

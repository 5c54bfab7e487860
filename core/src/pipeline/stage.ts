import type { Call } from '../call/call.ts'
import type { Answer } from '../call/outcome.ts'
import type { StageMeasure } from '../ports/telemetry.ts'
import type { Begun } from './begin.ts'
import type { PipelineContext } from './parts.ts'

export type Stage<A> = (call: Call, parts: PipelineContext) => A | Promise<A>
export type AnsweringStage = Stage<Answer | undefined>

/** Runs a stage that may answer; times it only when somebody listens. */
export function answering<A extends Answer | undefined>(
  stage: Stage<A>,
  call: Call,
  begun: Begun,
  parts: PipelineContext,
): A | Promise<A> {
  return begun.span?.stage === undefined ? stage(call, parts) : timed(stage, call, begun, parts)
}

function timed<A extends Answer | undefined>(
  stage: Stage<A>,
  call: Call,
  begun: Begun,
  parts: PipelineContext,
): A | Promise<A> {
  const started = parts.clock.ticks()
  const answer = stage(call, parts)
  if (answer instanceof Promise) return timedPromise(stage, answer, started, begun, parts)
  measure(stage.name, answer === undefined ? 'passed' : 'answered', started, begun, parts)
  return answer
}

async function timedPromise<A extends Answer | undefined>(
  stage: Stage<A>,
  answer: Promise<A>,
  started: number,
  begun: Begun,
  parts: PipelineContext,
): Promise<A> {
  let outcome: StageMeasure['outcome'] = 'refused'
  try {
    const settled = await answer
    outcome = settled === undefined ? 'passed' : 'answered'
    return settled
  } finally {
    measure(stage.name, outcome, started, begun, parts)
  }
}

/** Runs a stage that only refuses or hands on. */
export function gate<V, T>(
  stage: (value: V, parts: PipelineContext) => T,
  value: V,
  begun: Begun,
  parts: PipelineContext,
): T {
  if (begun.span?.stage === undefined) return stage(value, parts)
  const started = parts.clock.ticks()
  let outcome: StageMeasure['outcome'] = 'refused'
  try {
    const passed = stage(value, parts)
    outcome = 'passed'
    return passed
  } finally {
    measure(stage.name, outcome, started, begun, parts)
  }
}

function measure(
  step: string,
  outcome: StageMeasure['outcome'],
  started: number,
  begun: Begun,
  parts: PipelineContext,
): void {
  begun.span?.stage?.({
    step,
    tool: begun.tool,
    tenant: begun.tenant,
    outcome,
    durationMs: parts.clock.ticks() - started,
  })
}

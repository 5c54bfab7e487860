import type { Call } from '../call/call.ts'
import type { Answer } from '../call/outcome.ts'
import type { StageMeasure } from '../ports/telemetry.ts'
import type { Begun } from './begin.ts'
import type { Parts } from './parts.ts'

export type Stage<A> = (call: Call, parts: Parts) => A | Promise<A>

/** Runs a stage that may answer; times it only when somebody listens. */
export function answering<A extends Answer | undefined>(stage: Stage<A>, call: Call, begun: Begun, parts: Parts): A | Promise<A> {
  return begun.span === undefined ? stage(call, parts) : timed(stage, call, begun, parts)
}

async function timed<A extends Answer | undefined>(stage: Stage<A>, call: Call, begun: Begun, parts: Parts): Promise<A> {
  const started = parts.clock.ticks()
  let outcome: StageMeasure['outcome'] = 'refused'
  try {
    const answer = await stage(call, parts)
    outcome = answer === undefined ? 'passed' : 'answered'
    return answer
  } finally {
    measure(stage.name, outcome, started, begun, parts)
  }
}

/** Runs a stage that only refuses or hands on. */
export function gate<V, T>(stage: (value: V, parts: Parts) => T, value: V, begun: Begun, parts: Parts): T {
  if (begun.span === undefined) return stage(value, parts)
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

function measure(step: string, outcome: StageMeasure['outcome'], started: number, begun: Begun, parts: Parts): void {
  begun.span?.stage({ step, tool: begun.tool, tenant: begun.tenant, outcome, durationMs: parts.clock.ticks() - started })
}

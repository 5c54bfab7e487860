import { isUnexpected, type ToolError, toToolError } from '../call/tool-error.ts'
import { holdsSecret, redact } from '../define/redact.ts'
import type { Clock } from '../ports/clock.ts'
import type { CallTrace, TimedAttempt, TimedRequest, TimedStage } from '../ports/traces.ts'
import type { Call } from './call.ts'

// A tool that asks its provider in a loop must not make a row of any length.
const MOST_PARTS = 100
const LONGEST_REASON = 300
const LONGEST_INPUT = 16_384

/** Collects the times of one pass of a call through the pipeline. */
export class Timeline {
  readonly stages: TimedStage[] = []
  readonly attempts: TimedAttempt[] = []
  readonly requests: TimedRequest[] = []
  private readonly startedTicks: number
  private readonly clock: Clock

  constructor(startedTicks: number, clock: Clock) {
    this.startedTicks = startedTicks
    this.clock = clock
  }

  addStage(stage: string, outcome: TimedStage['outcome'], startedTicks: number): void {
    const at_ms = this.sinceStart(startedTicks)
    add(this.stages, { stage, outcome, at_ms, duration_ms: this.elapsed(startedTicks) })
  }

  async timeAttempt<T>(reasonOf: (error: ToolError) => string, work: () => Promise<T>): Promise<T> {
    const ticks = this.clock.ticks()
    try {
      const result = await work()
      add(this.attempts, { code: '', reason: '', ...this.since(ticks) })
      return result
    } catch (thrown) {
      const error = toToolError(thrown)
      // The text of an unexpected exception is for the log only.
      const reason = isUnexpected(error) ? '' : reasonOf(error).slice(0, LONGEST_REASON)
      add(this.attempts, { code: error.code, reason, ...this.since(ticks) })
      throw thrown
    }
  }

  async timeRequest<T>(port: string, method: string, work: () => Promise<T>): Promise<T> {
    const ticks = this.clock.ticks()
    try {
      const result = await work()
      add(this.requests, { port, method, code: '', ...this.since(ticks) })
      return result
    } catch (thrown) {
      add(this.requests, { port, method, code: toToolError(thrown).code, ...this.since(ticks) })
      throw thrown
    }
  }

  private since(ticks: number): { readonly at_ms: number; readonly duration_ms: number } {
    return { at_ms: this.sinceStart(ticks), duration_ms: this.elapsed(ticks) }
  }

  private sinceStart(ticks: number): number {
    return round(ticks - this.startedTicks)
  }

  private elapsed(ticks: number): number {
    return round(this.clock.ticks() - ticks)
  }
}

function add<T>(parts: T[], part: T): void {
  if (parts.length < MOST_PARTS) parts.push(part)
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100
}

type Passed = Pick<
  CallTrace,
  'call_id' | 'tenant' | 'principal' | 'tool_name' | 'outcome' | 'started_at' | 'duration_ms'
>

export function toTrace(timeline: Timeline, call: Call | undefined, passed: Passed): CallTrace {
  return {
    ...passed,
    // The key of a call without one is its own id.
    key: call === undefined || call.keySource === 'fresh' ? '' : call.key,
    input: call === undefined ? '' : redactedInput(call),
    stages: timeline.stages,
    attempts: timeline.attempts,
    requests: timeline.requests,
  }
}

// From the canonical text: the tool may have changed the object that it was given.
function redactedInput({ tool, canonicalInput: { text } }: Call): string {
  const { shape } = tool.input
  // Removing the secrets of a megabyte takes 70 ms, and hardly any would be short enough after it.
  if (text.length > 4 * LONGEST_INPUT) return ''
  const shown = holdsSecret(shape) ? JSON.stringify(redact(shape, JSON.parse(text))) : text
  return shown.length > LONGEST_INPUT ? '' : shown
}

import type { Maybe } from '../call/maybe.ts'

/** All times are milliseconds since the pass began. */
type Timed = { readonly at_ms: number; readonly duration_ms: number }

export type TimedStage = Timed & {
  readonly stage: string
  readonly outcome: 'passed' | 'answered' | 'refused'
}

/** `code` is empty for one that succeeded; `reason` is what the caller may read of its failure. */
export type TimedAttempt = Timed & { readonly code: string; readonly reason: string }

/** A request to a provider, by the method of the port. */
export type TimedRequest = Timed & {
  readonly port: string
  readonly method: string
  readonly code: string
}

/**
 * What is stored of one pass of a call through the pipeline, for people who look at the call. A
 * call that waited for an approval or a worker has several.
 */
export type CallTrace = {
  readonly call_id: string
  readonly tenant: string
  readonly principal: string
  readonly tool_name: string
  /** Its idempotency key; empty where it has none but its id. */
  readonly key: string
  /** Redacted JSON; empty where the input was refused, or is too long to be stored. */
  readonly input: string
  readonly outcome: string
  readonly started_at: number
  readonly duration_ms: number
  readonly stages: readonly TimedStage[]
  readonly attempts: readonly TimedAttempt[]
  readonly requests: readonly TimedRequest[]
}

/**
 * Traces of calls. They explain and prove nothing: one that is lost with its process is missed by
 * no promise, so that no call waits for them.
 */
export type TraceStore = {
  /** Written a moment later. */
  readonly append: (trace: CallTrace) => void
  /** The passes of a call, the oldest first. */
  readonly list: (tenant: string, callId: string) => Maybe<readonly CallTrace[]>
}

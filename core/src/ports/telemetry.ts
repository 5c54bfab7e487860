/** One call, measured. */
export type CallMeasure = {
  readonly callId: string
  readonly tool: string
  readonly tenant: string
  readonly surface: string
  readonly outcome: string
  readonly source: string
  readonly code: string
  readonly durationMs: number
  readonly latencyBudgetMs: number
  readonly bytesIn: number
  readonly bytesOut: number
}

/** One stage of a call, measured. */
export type StageMeasure = {
  readonly step: string
  readonly tool: string
  readonly tenant: string
  readonly outcome: 'passed' | 'answered' | 'refused'
  readonly durationMs: number
}

/** A span that was opened for one call. */
export type CallSpan = {
  /** Without it, stages are not timed. */
  readonly stage?: (measure: StageMeasure) => void
  readonly end: (measure: CallMeasure) => void
}

/** Where spans and measures go. Without one, no call opens a span. */
export type Telemetry = {
  readonly startCall: (start: {
    readonly callId: string
    readonly tool: string
    readonly tenant: string
  }) => CallSpan
}

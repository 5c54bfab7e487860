import type { LedgerContext } from '../ledger/context.ts'
import type { Doubts } from '../ledger/doubts.ts'
import type { Timeline } from '../ledger/timeline.ts'
import type { OpenTimeline } from '../ledger/trace-budget.ts'
import type { CallSpan, Telemetry } from '../ports/telemetry.ts'
import type { Latencies } from './latencies.ts'
import type { Providers } from './providers.ts'
import type { Flight } from './single-flight.ts'

/** What the stages need. Made once by `createRuntime`; no stage changes it. */
export type PipelineContext = LedgerContext & {
  readonly providers: Providers
  readonly telemetry: Telemetry | undefined
  readonly latencies: Latencies
  /** Undefined where no traces are stored. */
  readonly openTimeline: OpenTimeline | undefined
  /** Errors that the authors' code leaves behind are traced to their calls. */
  readonly tracesStrayErrors: boolean
  /** Cached reads that are being executed, by cache key. */
  readonly flights: Map<string, Flight>
  readonly doubts: Doubts
}

/** What is known of a call before its first stage. */
export type CallStart = {
  readonly callId: string
  readonly tool: string
  readonly tenant: string
  readonly startedAt: number
  readonly startedTicks: number
  readonly span: CallSpan | undefined
  readonly timeline: Timeline | undefined
  /**
   * The version of the tenant's administration by which the call is authorized; its claim compares
   * it.
   */
  readonly adminVersion: number | undefined
  /** The call has used quota already: a second round through the stages uses none. */
  readonly hasUsedQuota: boolean
}

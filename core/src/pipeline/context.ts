import type { LedgerContext } from '../ledger/context.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import type { Latencies } from './latencies.ts'
import type { Providers } from './providers.ts'
import type { Flight } from './single-flight.ts'

/** What the stages need. Made once by `createRuntime`; no stage changes it. */
export type PipelineContext = LedgerContext & {
  readonly providers: Providers
  readonly telemetry: Telemetry | undefined
  readonly latencies: Latencies
  /** Cached reads that are being executed, by cache key. */
  readonly flights: Map<string, Flight>
}

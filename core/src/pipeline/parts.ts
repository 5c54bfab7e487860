import type { Caller } from '../call/caller.ts'
import type { Outcome } from '../call/outcome.ts'
import type { CallRequest } from '../call/request.ts'
import type { PermissionScheme } from '../permissions/permissions.ts'
import type { CallRow } from '../ports/calls.ts'
import type { Entropy } from '../ports/chance.ts'
import type { Clock } from '../ports/clock.ts'
import type { Stores } from '../ports/stores.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import type { Administration } from '../registry/administration.ts'
import type { TenantPolicy } from '../registry/policy.ts'
import type { Registry } from '../registry/registry.ts'
import type { RegistryOf } from '../registry/tenant-registry.ts'
import type { Flight } from './flight.ts'
import type { Latencies } from './latencies.ts'
import type { Providers } from './providers.ts'

/** What the stages stand on. Made once by `createRuntime`; no stage changes it. */
export type PipelineContext = {
  /** The house's own tools. */
  readonly registry: Registry
  /** They, and what the tenant brought. */
  readonly registryOf: RegistryOf
  readonly providers: Providers
  readonly stores: Stores
  readonly clock: Clock
  readonly entropy: Entropy
  readonly telemetry: Telemetry | undefined
  readonly latencies: Latencies
  readonly flights: Map<string, Flight>
  /** What this process drives on, by call id: whoever cancels such a call reaches it here. */
  readonly driven: Map<string, AbortController>
  readonly scheme: PermissionScheme
  readonly administration: Administration
  readonly policyOf: (tenant: string) => TenantPolicy | undefined
  /** What somebody may do today; undefined: nothing any more. */
  readonly standing: (caller: Caller) => Promise<Caller | undefined>
  readonly leaseMs: number
  /** Drives a row on through the one door; used by workers and by whoever finds an abandoned call. */
  readonly resume: (row: CallRow) => Promise<Outcome>
  /** Walks a step of a run down the line, as any call. */
  readonly call: (request: CallRequest) => Promise<Outcome>
}

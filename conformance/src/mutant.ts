import type { Stores, Tool } from '@surehand/core'
import type { TenantPolicy } from '@surehand/core/host'
import type { Clock } from '@surehand/core/ports'
import type { Surface } from './surface.ts'

export type ProviderMethod = (
  args: Record<string, unknown>,
  signal: AbortSignal,
) => Promise<unknown>
export type Providers = Readonly<Record<string, Readonly<Record<string, ProviderMethod>>>>

/**
 * A planted fault that breaks one promise: a behaviour that still passes under its mutant proves
 * nothing. It wraps what the runtime depends on; the runtime's own code stays unchanged.
 */
export type Mutant = {
  /** What it does wrong, as a sentence. */
  readonly breaks: string
  readonly stores?: (stores: Stores, clock: Clock) => Stores
  /** The clock that the stores are opened with. */
  readonly storeClock?: (clock: Clock) => Clock
  readonly surface?: (surface: Surface) => Surface
  readonly providers?: (providers: Providers) => Providers
  readonly tools?: (tools: readonly Tool[]) => readonly Tool[]
  readonly policy?: (policy: TenantPolicy | undefined) => TenantPolicy | undefined
}

import type { Caller, Runtime } from '@surehand/core'
import { HOST_WAIT_MS, type HostOptions } from '@surehand/core/host'
import { type Clock, systemClock } from '@surehand/core/ports'

/**
 * `run` replaces the graph's `thread_id`: together with the tool-call id it is the idempotency key.
 */
export type ToolOptions = HostOptions & {
  /**
   * The name under which this host relays a person's decision; the tenant's policy decides whether
   * it counts.
   */
  readonly host?: string
}

/** The caller and the options that all calls of a set of tools share. */
export type Surface = Omit<ToolOptions, 'waitMs' | 'clock'> & {
  readonly runtime: Runtime
  readonly caller: Caller
  readonly waitMs: number
  readonly clock: Clock
}

export function surfaceOf(runtime: Runtime, caller: Caller, options: ToolOptions): Surface {
  return {
    ...options,
    runtime,
    caller,
    waitMs: options.waitMs ?? HOST_WAIT_MS,
    clock: options.clock ?? systemClock(),
  }
}

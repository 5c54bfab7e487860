import type { Caller, Runtime } from '@surehand/core'
import { HOST_WAIT_MS, type HostOptions } from '@surehand/core/host'
import { type Clock, systemClock } from '@surehand/core/ports'

/** `run` stands instead of the graph's `thread_id`: together with the tool-call id it makes the key. */
export type ToolOptions = HostOptions & {
  /** The name this host relays its person's word under; the tenant's policy says whether it counts. */
  readonly host?: string
}

/** Whose tools they are, and everything a call needs besides itself. */
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

import type { Caller, Runtime } from '@surehand/core'
import { type EnvelopeOptions, HOST_WAIT_MS, type HostOptions } from '@surehand/core/host'
import { type Clock, systemClock } from '@surehand/core/ports'

export type Options = HostOptions & {
  /**
   * The name under which this host relays a person's decision; the tenant's policy decides whether
   * it counts.
   */
  readonly host?: string
}

/** The options with their defaults, and the caller they apply to. */
export type Surface = {
  readonly runtime: Runtime
  readonly caller: Caller
  readonly run: string | undefined
  readonly host: string | undefined
  readonly waitMs: number
  readonly clock: Clock
  readonly pages: EnvelopeOptions
  readonly callOptions: NonNullable<Options['request']>
  readonly onEnvelope: NonNullable<Options['onEnvelope']>
}

export function surfaceOf(runtime: Runtime, caller: Caller, options: Options): Surface {
  const { approvalUrl, questionUrl } = options
  return {
    runtime,
    caller,
    run: options.run,
    host: options.host,
    waitMs: options.waitMs ?? HOST_WAIT_MS,
    clock: options.clock ?? systemClock(),
    pages: {
      ...(approvalUrl === undefined ? {} : { approvalUrl }),
      ...(questionUrl === undefined ? {} : { questionUrl }),
    },
    callOptions: options.request ?? (() => ({})),
    onEnvelope: options.onEnvelope ?? (() => undefined),
  }
}

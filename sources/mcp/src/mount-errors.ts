import { isToolError, ToolError } from '@surehand/core'
import type { Deadline } from './deadline.ts'
import type { Hide } from './hide.ts'
import type { MountLimits } from './limits.ts'
import { toToolError } from './to-tool-error.ts'

/** The server that failed, within which deadline. */
export type FailedMount = {
  readonly server: string
  readonly within: Deadline
  readonly limits: MountLimits
  readonly hide: Hide
  /** Why the connection ended, if the transport knows. */
  readonly ending?: string | undefined
}

/** The error of a call that was sent. */
export function callError(thrown: unknown, tool: string, failed: FailedMount): ToolError {
  const { server, within, limits, hide, ending } = failed
  const over = isToolError(thrown) ? undefined : within.over()
  if (over === 'left')
    return new ToolError(
      'TOOL_CANCELLED',
      `The call of ${tool} of ${server} was cancelled after it had been sent.`,
      { effect: 'possible' },
    )
  if (over === 'time')
    return new ToolError(
      'TOOL_EXECUTION_TIMEOUT',
      `${server} did not answer ${tool} in ${limits.callMs} ms.`,
      { effect: 'possible' },
    )
  return toToolError(thrown, { server, doing: `the call of ${tool}`, hide, ending })
}

/** The error of a call that could not be sent, because no connection was ready. */
export function unsentError(
  thrown: unknown,
  { server, within, hide }: Omit<FailedMount, 'limits'>,
): ToolError {
  if (within.over() === 'left')
    return new ToolError('TOOL_CANCELLED', 'The caller has left. Nothing was sent.', {
      effect: 'none',
    })
  if (within.over() === 'time')
    return new ToolError(
      'TOOL_EXECUTION_TIMEOUT',
      `${server} was not ready in time. Nothing was sent.`,
      { effect: 'none' },
    )
  const { code, message, details, cause } = toToolError(thrown, {
    server,
    doing: 'connecting',
    hide,
  })
  return new ToolError(code, message, {
    effect: 'none',
    cause,
    ...(details === undefined ? {} : { details }),
  })
}

/** The error of a connection that could not be opened. */
export function connectError(thrown: unknown, failed: FailedMount): ToolError {
  const { server, within, limits, hide, ending } = failed
  if (within.over() === 'left') return closedError(server)
  if (within.over() === 'time')
    return new ToolError(
      'TOOL_RESOURCE_UNAVAILABLE',
      `${server} cannot be used: it was not ready in ${limits.connectMs} ms.`,
    )
  return toToolError(thrown, { server, doing: 'connecting', hide, ending })
}

/** The error of a list of tools that could not be read. */
export function listError(thrown: unknown, failed: FailedMount): ToolError {
  const { server, within, limits, hide, ending } = failed
  if (within.over() === 'time')
    return new ToolError(
      'TOOL_RESOURCE_UNAVAILABLE',
      `${server} did not list its tools in ${limits.listMs} ms.`,
    )
  return toToolError(thrown, { server, doing: 'listing its tools', hide, ending })
}

export function closedError(server: string): ToolError {
  return new ToolError('TOOL_RESOURCE_UNAVAILABLE', `${server} is no longer mounted.`)
}

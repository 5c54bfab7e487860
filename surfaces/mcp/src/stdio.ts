import type { Caller, Runtime } from '@surehand/core'
import { createSurface, type McpOptions } from './options.ts'
import { redirectStdout } from './redirect-stdout.ts'
import { StdioConnection } from './stdio-connection.ts'
import { trackCalls } from './track-calls.ts'

export type McpStdioOptions = {
  readonly runtime: Runtime
  /** Who started the process: there is no token on a pipe. */
  readonly caller: Caller
  readonly options?: McpOptions & {
    /** How long calls that run may still take when the client has closed stdin. */
    readonly finishWithinMs?: number
  }
}

export type McpStdio = {
  /** Tells whoever wants to know that the list is another one now. */
  readonly toolsChanged: () => void
  /** Takes nothing more, and lets what runs come to its end. */
  readonly close: () => Promise<void>
  /** When the client has left and every call that it began has ended: time to stop the runtime and let the process end. */
  readonly closed: Promise<void>
}

// official clients send SIGTERM two seconds after they have closed stdin
const FINISH_WITHIN_MS = 1_500

/** MCP on this process's stdin and stdout, for both eras. From here on stdout carries the protocol and nothing else. */
export function serveMcpStdio({ runtime, caller, options = {} }: McpStdioOptions): McpStdio {
  const { finishWithinMs = FINISH_WITHIN_MS, ...rest } = options
  const calls = trackCalls(runtime)
  const surface = createSurface(calls.runtime, rest)
  const connection = new StdioConnection({
    surface,
    caller,
    input: process.stdin,
    output: redirectStdout(),
    finishWithinMs,
    callsSettled: calls.settled,
  })
  return {
    toolsChanged: () => connection.toolsChanged(),
    close: () => connection.end(),
    closed: connection.closed,
  }
}

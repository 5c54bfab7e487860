import type { Caller, Runtime } from '@surehand/core'
import { createSurface, type McpOptions } from './options.ts'
import { redirectStdout } from './redirect-stdout.ts'
import { StdioConnection } from './stdio-connection.ts'

export type McpStdioOptions = {
  readonly runtime: Runtime
  /** The caller of all requests, usually who started the process: stdin carries no token. */
  readonly caller: Caller
  readonly options?: McpOptions & {
    /** How long running calls may still take after the client has closed stdin. */
    readonly finishWithinMs?: number
  }
}

export type McpStdio = {
  /** Notifies subscribed clients that the list of tools has changed. */
  readonly toolsChanged: () => void
  /** Accepts nothing more, and lets running calls end. */
  readonly close: () => Promise<void>
  /**
   * Resolves when the client has disconnected and all its calls have ended: the process may stop
   * the runtime and exit.
   */
  readonly closed: Promise<void>
}

// Official clients send SIGTERM two seconds after they have closed stdin.
const FINISH_WITHIN_MS = 1_500

/**
 * MCP on stdin and stdout of this process. From the call on, stdout carries protocol messages only.
 */
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

type TrackedRuntime = { readonly runtime: Runtime; readonly settled: () => Promise<void> }

/** A runtime whose running calls can be awaited. */
export function trackCalls(runtime: Runtime): TrackedRuntime {
  const running = new Set<Promise<unknown>>()
  const call = (request: Parameters<Runtime['call']>[0]) => {
    const outcome = runtime.call(request)
    running.add(outcome)
    // A call never rejects: every failure is an outcome.
    void outcome.then(() => running.delete(outcome))
    return outcome
  }
  return {
    // The cast is safe: both overloads are passed on unchanged.
    runtime: { ...runtime, call: call as Runtime['call'] },
    async settled() {
      await Promise.all(running)
    },
  }
}

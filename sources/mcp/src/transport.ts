import {
  type FetchLike,
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import type { Clock } from '@surehand/core/ports'
import type { ChildEnvironment, ChildEnvironmentForm } from './child-environment.ts'
import { STREAM_ENDED, TOO_LARGE } from './failure.ts'
import type { MountLimits } from './limits.ts'
import { StdioTransport } from './stdio-transport.ts'
import { watchedFetch } from './watched-fetch.ts'

/** Where a server is. */
export type ServerAddress =
  | ({
      readonly kind: 'stdio'
      readonly command: string
      readonly args?: readonly string[]
      readonly cwd?: string
    } & ChildEnvironmentForm)
  | { readonly kind: 'http'; readonly url: string }

export type TransportParts = {
  readonly address: ServerAddress
  readonly environment: ChildEnvironment
  readonly fetch: FetchLike
  readonly limits: MountLimits
  readonly clock: Clock
}

/** A way to a server, and how to tell what became of it. */
export type Way = {
  readonly transport: Transport
  readonly pid: () => number | undefined
  readonly ending: () => string | undefined
  readonly lastWords: () => string
  readonly skippedLines: () => number
  /** Says goodbye where the protocol has a word for it. */
  readonly leave: () => Promise<void>
  readonly hasSession: () => boolean
}

// long enough for what was read to reach the SDK: an answer in the stream's last bytes is an answer
const STREAM_END_MS = 250
// a server may ask to be called again at once, and for ever
const SHORTEST_RECONNECT_MS = 1_000
const RECONNECTION = {
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: 5,
}

/** Refuses an address that can't be one. */
export function refuseAddress(address: ServerAddress): void {
  if (address.kind === 'stdio') {
    if (address.command.trim() === '')
      throw new TypeError('The server has no command to start it with.')
    return
  }
  const url = URL.parse(address.url)
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new TypeError('The address of the server is not an http or https URL.')
  if (url.username !== '' || url.password !== '')
    throw new TypeError('The address of the server carries a credential: keep it in the vault.')
}

/** A fresh way to the server; nothing has been sent on it. */
export function wayTo(parts: TransportParts): Way {
  return parts.address.kind === 'stdio'
    ? stdioWay(parts, parts.address)
    : httpWay(parts, parts.address.url)
}

function stdioWay(
  { environment, limits, clock }: TransportParts,
  address: Extract<ServerAddress, { kind: 'stdio' }>,
): Way {
  const { command, args = [], cwd } = address
  const transport = new StdioTransport(
    { command, args, cwd, variables: environment.variables },
    limits,
    clock,
  )
  return {
    transport,
    pid: () => transport.pid ?? undefined,
    ending: () => transport.ending,
    lastWords: () => transport.lastWords(),
    skippedLines: () => transport.skippedLines,
    leave: async () => undefined,
    hasSession: () => false,
  }
}

function httpWay({ fetch, limits, clock }: TransportParts, url: string): Way {
  const watched = watchedFetch(fetch, {
    maxBytes: limits.messageBytes,
    onEnd(id, how) {
      const error =
        how === 'ended'
          ? { code: STREAM_ENDED, message: 'no answer came' }
          : { code: TOO_LARGE, message: `of at most ${limits.messageBytes} bytes` }
      const message: JSONRPCMessage = { jsonrpc: '2.0', id, error }
      // the SDK would wait for an answer that can't come any more; one that has come is not answered twice
      clock.after(STREAM_END_MS, () => transport.onmessage?.(message))
    },
  })
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: watched,
    reconnectionOptions: RECONNECTION,
    reconnectionScheduler: (reconnect, delayMs) =>
      clock.after(Math.max(delayMs, SHORTEST_RECONNECT_MS), reconnect),
  })
  return {
    transport,
    pid: () => undefined,
    ending: () => undefined,
    lastWords: () => '',
    skippedLines: () => 0,
    leave: () => transport.terminateSession(),
    hasSession: () => transport.sessionId !== undefined,
  }
}

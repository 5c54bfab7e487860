import {
  type FetchLike,
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import { ToolError } from '@surehand/core'
import { isRecord } from '@surehand/core/internal'
import type { Clock } from '@surehand/core/ports'
import type { ChildEnvironment, ChildEnvironmentForm } from './child-environment.ts'
import type { MountLimits } from './limits.ts'
import { StdioTransport } from './stdio-transport.ts'
import { STREAM_ENDED, TOO_LARGE } from './to-tool-error.ts'

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

/** A transport to a server, with what is known about its state. */
export type Route = {
  readonly transport: Transport
  readonly pid: () => number | undefined
  readonly ending: () => string | undefined
  readonly lastWords: () => string
  readonly skippedLines: () => number
  /** Ends the session, where the protocol has one. */
  readonly leave: () => Promise<void>
  readonly hasSession: () => boolean
}

// Long enough for an answer in the last bytes of a stream to reach the SDK.
const STREAM_END_MS = 250
// A hostile server may ask for immediate reconnection without end.
const SHORTEST_RECONNECT_MS = 1_000
const RECONNECTION = {
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: 5,
}

/** Throws if an address is invalid. */
export function checkAddress(address: ServerAddress): void {
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

/**
 * A child's address and environment with the secrets that were read for it. An argument names one
 * as `${NAME}`.
 */
export function withSecrets(
  address: ServerAddress,
  { variables, secrets }: ChildEnvironment,
  read: Readonly<Record<string, string>>,
): Pick<TransportParts, 'address' | 'environment'> {
  const known = new Map(Object.entries(read))
  const fill = (arg: string): string =>
    arg.replaceAll(/\$\{(\w+)\}/g, (written, name: string) => known.get(name) ?? written)
  return {
    address:
      address.kind === 'stdio' && address.args !== undefined
        ? { ...address, args: address.args.map(fill) }
        : address,
    environment: {
      variables: { ...variables, ...read },
      secrets: [...secrets, ...known.values()],
    },
  }
}

/** A new transport to the server. Nothing has been sent on it. */
export function createRoute(parts: TransportParts): Route {
  return parts.address.kind === 'stdio'
    ? stdioRoute(parts, parts.address)
    : httpRoute(parts, parts.address.url)
}

function stdioRoute(
  { environment, limits, clock }: TransportParts,
  address: Extract<ServerAddress, { kind: 'stdio' }>,
): Route {
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

function httpRoute({ fetch, limits, clock }: TransportParts, url: string): Route {
  const watched = measuredFetch(fetch, {
    maxBytes: limits.messageBytes,
    onEnd(id, how) {
      const error =
        how === 'ended'
          ? { code: STREAM_ENDED, message: 'no answer came' }
          : { code: TOO_LARGE, message: `of at most ${limits.messageBytes} bytes` }
      const message: JSONRPCMessage = { jsonrpc: '2.0', id, error }
      // The stream ended, so the SDK would wait for an answer in vain. If the answer has arrived,
      // the SDK ignores this message.
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

export type WatchOptions = {
  /** For a whole answer, or for one event of a stream. */
  readonly maxBytes: number
  /** The stream for this request has ended. Only the SDK knows whether it contained the answer. */
  readonly onEnd: (id: number, how: 'ended' | 'too large') => void
}

const NEWLINE = 10
const RETURN = 13

/** A fetch that limits the size of answers while they are read. The SDK itself has no limit. */
function measuredFetch(send: FetchLike, options: WatchOptions): FetchLike {
  return async (url, init) => {
    const response = await send(url, init)
    if (response.body === null) return response
    const isStream =
      response.headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') ?? false
    const id = isStream ? requestId(init?.body) : undefined
    const meter = new Meter(options.maxBytes, isStream ? 'event' : 'answer')
    const body = measureBody(response.body, meter, (how) => {
      // The SDK resumes a stream that has event ids.
      if (id !== undefined && (how === 'too large' || !meter.hasIds)) options.onEnd(id, how)
    })
    return new Response(body, {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    })
  }
}

function measureBody(
  body: ReadableStream<Uint8Array>,
  meter: Meter,
  onEnd: (how: 'ended' | 'too large') => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (done) {
          onEnd('ended')
          return controller.close()
        }
        if (meter.add(value)) return controller.enqueue(value)
      } catch (error) {
        onEnd('ended')
        return controller.error(error)
      }
      onEnd('too large')
      controller.error(
        new ToolError(
          'TOOL_INVALID_OUTPUT',
          `The server answered with more than ${meter.maxBytes} bytes.`,
          { effect: 'possible' },
        ),
      )
      await reader.cancel()
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

/** Counts the bytes of an answer, or of an event, which ends with an empty line. */
class Meter {
  readonly maxBytes: number
  hasIds = false
  private readonly of: 'answer' | 'event'
  private bytes = 0
  private lineStart = ''
  private lineLength = 0

  constructor(maxBytes: number, of: 'answer' | 'event') {
    this.maxBytes = maxBytes
    this.of = of
  }

  /** Whether the size is still within the limit. */
  add(chunk: Uint8Array): boolean {
    if (this.of === 'answer') {
      this.bytes += chunk.length
      return this.bytes <= this.maxBytes
    }
    for (const byte of chunk) if (!this.addByte(byte)) return false
    return true
  }

  private addByte(byte: number): boolean {
    this.bytes++
    if (byte === NEWLINE) {
      if (this.lineLength === 0) this.bytes = 0
      if (this.lineStart === 'id:') this.hasIds = true
      this.lineStart = ''
      this.lineLength = 0
    } else if (byte !== RETURN) {
      if (this.lineLength < 3) this.lineStart += String.fromCharCode(byte)
      this.lineLength++
    }
    return this.bytes <= this.maxBytes
  }
}

function requestId(body: unknown): number | undefined {
  if (typeof body !== 'string') return undefined
  const message: unknown = JSON.parse(body)
  return isRecord(message) && typeof message.id === 'number' && typeof message.method === 'string'
    ? message.id
    : undefined
}

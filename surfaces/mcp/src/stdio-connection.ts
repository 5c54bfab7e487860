import { Buffer } from 'node:buffer'
import type { Readable } from 'node:stream'
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
} from '@modelcontextprotocol/server'
import type { Caller } from '@surehand/core'
import { isRecord } from '@surehand/core/internal'
import { sleep } from '@surehand/core/ports'
import { answerStateless, toRpcError } from './answer-stateless.ts'
import type { RpcId } from './answer-stream.ts'
import { largestMessageBytes, type Surface } from './options.ts'
import { parseMessage, readMessageId } from './parse-message.ts'
import type { ProtocolOutput } from './redirect-stdout.ts'
import { openSdkConnection, type SdkConnection } from './sdk-connection.ts'
import { readStatelessRequest, type StatelessRequest } from './stateless-request.ts'

type StdioContext = {
  readonly surface: Surface
  readonly caller: Caller
  readonly input: Readable
  readonly output: ProtocolOutput
  /** How long running calls may still take after the client has disconnected. */
  readonly finishWithinMs: number
  /** Resolves when every started call has ended. */
  readonly callsSettled: () => Promise<void>
}

/**
 * A request without an answer. `cancel` is undefined for requests that the SDK serves and cancels.
 */
type OpenRequest = {
  readonly answered: Promise<void>
  readonly close: () => void
  readonly cancel: (() => void) | undefined
}

const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600

/**
 * One client on stdin and stdout, from the first line until every request that it started has
 * ended.
 */
export class StdioConnection {
  readonly closed: Promise<void>
  private readonly context: StdioContext
  private readonly sdk: SdkConnection
  private readonly open = new Map<RpcId, OpenRequest>()
  private readonly onClosed: () => void
  private readonly closing = new AbortController()
  private isEnding = false
  private isOutputBroken = false
  private isPaused = false

  constructor(context: StdioContext) {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.closed = promise
    this.onClosed = resolve
    this.context = context
    this.sdk = openSdkConnection(context.surface, context.caller, (message) =>
      this.sendFromSdk(message),
    )
    this.listen()
  }

  toolsChanged(): void {
    this.sdk.toolsChanged()
  }

  /** Accepts nothing more, lets running requests end, and closes. */
  end(): Promise<void> {
    if (!this.isEnding) {
      this.isEnding = true
      this.context.input.pause()
      void this.finish().finally(this.onClosed)
    }
    return this.closed
  }

  private listen(): void {
    const { input, output, surface } = this.context
    const lines = createLineSplitter(() => largestMessageBytes(surface), {
      line: (bytes) => this.take(bytes),
      tooLong: () =>
        this.refuse(
          null,
          INVALID_REQUEST,
          `The line is longer than the allowed ${largestMessageBytes(surface)} bytes.`,
        ),
    })
    input.on('data', (chunk: Buffer) => {
      if (!this.isEnding) lines.take(chunk)
    })
    input.on('end', () => {
      if (!this.isEnding) lines.end()
      void this.end()
    })
    input.on('error', () => this.end())
    input.on('close', () => this.end())
    output.whenBroken(() => {
      this.isOutputBroken = true
      for (const { cancel, close } of this.open.values()) {
        cancel?.()
        close()
      }
      void this.end()
    })
  }

  private take(bytes: Buffer): void {
    const parsed = parseMessage(bytes, largestMessageBytes(this.context.surface))
    if ('problem' in parsed) {
      this.refuse(parsed.id, PARSE_ERROR, parsed.problem)
      return
    }
    // A connection of a 2025 client stays one, whatever a message claims.
    const hot = this.sdk.isLegacy() ? undefined : readStatelessRequest(parsed.value)
    if (hot === undefined) this.deliverToSdk(parsed.value)
    else void this.serveHot(hot)
  }

  private async serveHot(request: StatelessRequest): Promise<void> {
    const { surface, caller } = this.context
    const { id, method } = request
    // A client may discover the server and still continue as one of 2025.
    if (method !== 'server/discover') this.sdk.chooseModern()
    const cancelled = new AbortController()
    const opened = this.begin(id, () => cancelled.abort())
    // A client that has cancelled the request expects no answer.
    const send = (message: object): void => {
      if (this.open.get(id) === opened) this.send(message)
    }
    const notify = (named: string, params: object): void =>
      send({ jsonrpc: '2.0', method: named, params })
    const exchange = { caller, signal: cancelled.signal, notify, closing: this.closing.signal }
    try {
      send({ jsonrpc: '2.0', id, result: await answerStateless(request, exchange, surface) })
    } catch (thrown) {
      send({ jsonrpc: '2.0', id, error: toRpcError(thrown) })
    }
    this.finished(id, opened)
  }

  private deliverToSdk(message: unknown): void {
    if (isCancellation(message) && this.cancel(message.params.requestId)) return
    if (!isMessage(message)) {
      this.refuse(readMessageId(message), INVALID_REQUEST, 'This is not a JSON-RPC 2.0 message.')
      return
    }
    // A subscription is answered when the connection closes, so closing must not wait for it.
    if (isJSONRPCRequest(message) && message.method !== 'subscriptions/listen')
      this.begin(message.id, undefined)
    this.sdk.deliver(message)
  }

  /** True where nothing else needs to be cancelled. */
  private cancel(id: RpcId): boolean {
    const opened = this.open.get(id)
    if (opened === undefined) return false
    this.finished(id, opened)
    opened.cancel?.()
    return opened.cancel !== undefined
  }

  private begin(id: RpcId, cancel: OpenRequest['cancel']): OpenRequest {
    const { promise, resolve } = Promise.withResolvers<void>()
    const opened = { answered: promise, close: resolve, cancel }
    this.open.set(id, opened)
    return opened
  }

  private finished(id: RpcId, opened: OpenRequest): void {
    opened.close()
    // An id that is used twice names the later request.
    if (this.open.get(id) === opened) this.open.delete(id)
  }

  private sendFromSdk(message: JSONRPCMessage): void {
    this.send(message)
    if ('method' in message || message.id === undefined) return
    const opened = this.open.get(message.id)
    if (opened !== undefined) this.finished(message.id, opened)
  }

  private refuse(id: RpcId, code: number, message: string): void {
    this.send({ jsonrpc: '2.0', id, error: { code, message } })
  }

  private send(message: object): void {
    const { input, output } = this.context
    if (this.isOutputBroken || output.write(`${JSON.stringify(message)}\n`) || this.isPaused) return
    // A client that reads slowly is served slowly; otherwise its answers would fill the memory.
    this.isPaused = true
    input.pause()
    output.whenDrained(() => {
      this.isPaused = false
      if (!this.isEnding) input.resume()
    })
  }

  private async finish(): Promise<void> {
    const { surface, finishWithinMs, callsSettled } = this.context
    this.closing.abort()
    const done = new AbortController()
    const timeout = sleep(surface.clock, finishWithinMs, done.signal).catch(() => undefined)
    await Promise.race([this.allAnswered(), timeout])
    done.abort()
    // This cancels calls that have not started their effect; later ones run to their end, or
    // another node recovers them.
    for (const { cancel, close } of this.open.values()) {
      cancel?.()
      if (cancel === undefined) close()
    }
    await this.sdk.close()
    await Promise.all([callsSettled(), this.allAnswered()])
  }

  private async allAnswered(): Promise<void> {
    await Promise.all([...this.open.values()].map(({ answered }) => answered))
  }
}

type Cancellation = { readonly params: { readonly requestId: RpcId } }

function isCancellation(message: unknown): message is Cancellation {
  if (
    !isRecord(message) ||
    message.method !== 'notifications/cancelled' ||
    !isRecord(message.params)
  )
    return false
  const { requestId } = message.params
  return typeof requestId === 'string' || typeof requestId === 'number'
}

function isMessage(message: unknown): message is JSONRPCMessage {
  return (
    isJSONRPCRequest(message) ||
    isJSONRPCNotification(message) ||
    isJSONRPCResultResponse(message) ||
    isJSONRPCErrorResponse(message)
  )
}

type LineConsumer = { readonly line: (bytes: Buffer) => void; readonly tooLong: () => void }
type LineSplitter = {
  readonly take: (chunk: Buffer) => void
  /** The stream has ended: what remains without a line end is a line too. */
  readonly end: () => void
}

const LINE_FEED = 10
const CARRIAGE_RETURN = 13

/**
 * Splits a stream into lines. A line that is too long is reported once and skipped, without storing
 * it.
 */
function createLineSplitter(maxBytes: () => number, consumer: LineConsumer): LineSplitter {
  let parts: Buffer[] = []
  let size = 0
  let isTooLong = false

  function add(part: Buffer): void {
    size += part.length
    if (isTooLong) return
    parts.push(part)
    if (size <= maxBytes()) return
    isTooLong = true
    parts = []
    consumer.tooLong()
  }

  function end(): void {
    const bytes = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
    parts = []
    size = 0
    isTooLong = false
    const line = bytes.at(-1) === CARRIAGE_RETURN ? bytes.subarray(0, -1) : bytes
    if (line.length > 0) consumer.line(line)
  }

  return {
    take(chunk) {
      let from = 0
      for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
        add(chunk.subarray(from, at))
        end()
        from = at + 1
      }
      if (from < chunk.length) add(chunk.subarray(from))
    },
    end,
  }
}

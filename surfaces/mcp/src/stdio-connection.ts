import type { Buffer } from 'node:buffer'
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
import { createLineSplitter } from './split-lines.ts'
import { readStatelessRequest, type StatelessRequest } from './stateless-request.ts'

export type StdioContext = {
  readonly surface: Surface
  readonly caller: Caller
  readonly input: Readable
  readonly output: ProtocolOutput
  /** How long calls that run may still take when the client has left. */
  readonly finishWithinMs: number
  /** When every call that was begun has ended. */
  readonly callsSettled: () => Promise<void>
}

/** A request that has no answer yet. Those of the SDK are cancelled by the SDK. */
type Open = {
  readonly answered: Promise<void>
  readonly close: () => void
  readonly cancel: (() => void) | undefined
}

const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600

/** One client on a pair of pipes, from the first line until everything it began has ended. */
export class StdioConnection {
  readonly closed: Promise<void>
  private readonly door: StdioContext
  private readonly sdk: SdkConnection
  private readonly open = new Map<RpcId, Open>()
  private readonly onClosed: () => void
  private readonly closing = new AbortController()
  private isEnding = false
  private isBroken = false
  private isBehind = false

  constructor(door: StdioContext) {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.closed = promise
    this.onClosed = resolve
    this.door = door
    this.sdk = openSdkConnection(door.surface, door.caller, (message) => this.sayOfSdk(message))
    this.listen()
  }

  toolsChanged(): void {
    this.sdk.toolsChanged()
  }

  /** Takes nothing more, lets what runs come to its end, and is closed. */
  end(): Promise<void> {
    if (!this.isEnding) {
      this.isEnding = true
      this.door.input.pause()
      void this.finish().finally(this.onClosed)
    }
    return this.closed
  }

  private listen(): void {
    const { input, output, surface } = this.door
    const lines = createLineSplitter(() => largestMessageBytes(surface), {
      line: (bytes) => this.take(bytes),
      tooLong: () =>
        this.refuse(
          null,
          INVALID_REQUEST,
          `A line may hold ${largestMessageBytes(surface)} bytes; this one is longer.`,
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
      this.isBroken = true
      for (const { cancel, close } of this.open.values()) {
        cancel?.()
        close()
      }
      void this.end()
    })
  }

  private take(bytes: Buffer): void {
    const parsed = parseMessage(bytes, largestMessageBytes(this.door.surface))
    if ('problem' in parsed) {
      this.refuse(parsed.id, PARSE_ERROR, parsed.problem)
      return
    }
    // a connection of 2025 stays one, whatever a message claims
    const hot = this.sdk.isLegacy() ? undefined : readStatelessRequest(parsed.value)
    if (hot === undefined) this.passOn(parsed.value)
    else void this.serveHot(hot)
  }

  private async serveHot(request: StatelessRequest): Promise<void> {
    const { surface, caller } = this.door
    const { id, method } = request
    // a client may ask what is spoken here and still go on as one of 2025
    if (method !== 'server/discover') this.sdk.chooseModern()
    const left = new AbortController()
    const opened = this.begin(id, () => left.abort())
    // whoever has cancelled waits for nothing any more
    const say = (message: object): void => {
      if (this.open.get(id) === opened) this.say(message)
    }
    const notify = (named: string, params: object): void =>
      say({ jsonrpc: '2.0', method: named, params })
    const exchange = { caller, signal: left.signal, notify, closing: this.closing.signal }
    try {
      say({ jsonrpc: '2.0', id, result: await answerStateless(request, exchange, surface) })
    } catch (thrown) {
      say({ jsonrpc: '2.0', id, error: toRpcError(thrown) })
    }
    this.finished(id, opened)
  }

  private passOn(message: unknown): void {
    if (isCancellation(message) && this.cancel(message.params.requestId)) return
    if (!isMessage(message)) {
      this.refuse(readMessageId(message), INVALID_REQUEST, 'This is no message of JSON-RPC 2.0.')
      return
    }
    // a subscription is answered when the connection closes, and nobody waits for that
    if (isJSONRPCRequest(message) && message.method !== 'subscriptions/listen')
      this.begin(message.id, undefined)
    this.sdk.deliver(message)
  }

  /** True when that was all there is to do. */
  private cancel(id: RpcId): boolean {
    const opened = this.open.get(id)
    if (opened === undefined) return false
    this.finished(id, opened)
    opened.cancel?.()
    return opened.cancel !== undefined
  }

  private begin(id: RpcId, cancel: Open['cancel']): Open {
    const { promise, resolve } = Promise.withResolvers<void>()
    const opened = { answered: promise, close: resolve, cancel }
    this.open.set(id, opened)
    return opened
  }

  private finished(id: RpcId, opened: Open): void {
    opened.close()
    // an id that is in use twice names the later request
    if (this.open.get(id) === opened) this.open.delete(id)
  }

  private sayOfSdk(message: JSONRPCMessage): void {
    this.say(message)
    if ('method' in message || message.id === undefined) return
    const opened = this.open.get(message.id)
    if (opened !== undefined) this.finished(message.id, opened)
  }

  private refuse(id: RpcId, code: number, message: string): void {
    this.say({ jsonrpc: '2.0', id, error: { code, message } })
  }

  private say(message: object): void {
    const { input, output } = this.door
    if (this.isBroken || output.write(`${JSON.stringify(message)}\n`) || this.isBehind) return
    // a client that reads slowly is served slowly, instead of filling our memory
    this.isBehind = true
    input.pause()
    output.whenDrained(() => {
      this.isBehind = false
      if (!this.isEnding) input.resume()
    })
  }

  private async finish(): Promise<void> {
    const { surface, finishWithinMs, callsSettled } = this.door
    this.closing.abort()
    const done = new AbortController()
    const enough = sleep(surface.clock, finishWithinMs, done.signal).catch(() => undefined)
    await Promise.race([this.allAnswered(), enough])
    done.abort()
    // before its effect a call is cancelled by this; behind it, it runs to its end, or another node finds it
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

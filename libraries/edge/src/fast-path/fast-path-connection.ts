import { Buffer } from 'node:buffer'
import type { Socket } from 'node:net'
import type { StartRequest } from '../request-turns.ts'
import type {
  FastPath,
  FastPathAnswer,
  FastPathResponse,
  FastPathStream,
  RequestHead,
} from './fast-path.ts'
import { type AfterResponse, formatResponse } from './format-response.ts'
import { PendingRequest } from './pending-request.ts'
import { type RequestBody, readRequestBody } from './read-request-body.ts'
import { MAX_BODY_BYTES } from './read-request-head.ts'
import { createHeadReader } from './repeated-heads.ts'
import { streamBody } from './stream-body.ts'

/** What all connections of a server share. */
export type ConnectionContext = {
  readonly fastPath: FastPath
  /** Gives the connection to Node's server permanently. */
  readonly handOver: (socket: Socket) => void
  /**
   * Calls `start` in a batch with other connections whose bytes have arrived, the clients in turn.
   */
  readonly startSoon: StartRequest
  /** The connection was closed or handed over. */
  readonly remove: (connection: FastPathConnection) => void
  /** True while the server shuts down. */
  readonly isClosing: () => boolean
  /** How long an idle connection stays open; 0 means without limit, as in Node's server. */
  readonly keepAliveSeconds: number
  readonly date: () => string
}

// What Node's server answers to a request that ends in the middle.
const BAD_REQUEST = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'

// After this many checks (one a second), a client that sends nothing, or a body that arrives
// slowly, is handed to Node's server, which has the timeouts for both.
const PATIENT_CHECKS = 1

// Chunks are read again with each piece of them that arrives; a body in more pieces goes to Node's
// server.
const MAX_CHUNKED_PIECES = 8

/** A request whose body has not arrived completely. */
type PartialRequest = { readonly head: RequestHead; readonly parts: Buffer[]; size: number }

/**
 * One client whose requests are answered on its socket, one after another, until a request is not
 * in the narrow grammar.
 */
export class FastPathConnection {
  private readonly socket: Socket
  private readonly context: ConnectionContext
  private readonly readHead = createHeadReader()
  /** What has arrived since the last batch was started. */
  private received: Buffer | undefined
  private partial: PartialRequest | undefined
  /** The request that is being answered. */
  private current: PendingRequest | undefined
  /** The bytes of `current`: Node's server gets them where the handler does not answer. */
  private currentBytes: Buffer | undefined
  /** What arrived after `current`. */
  private rest: Buffer | undefined
  /** Whose connection this is, as far as its last request said; not authenticated. */
  private client: string | undefined
  private responses = 0
  private isContinuing = false
  private hasMore = false
  private isOver = false
  private checks = 0

  constructor(socket: Socket, context: ConnectionContext) {
    this.socket = socket
    this.context = context
    socket.on('data', this.onData)
    socket.on('end', this.onEnd)
    socket.on('close', this.onClose)
    socket.on('timeout', this.onTimeout)
    socket.on('error', ignoreError)
  }

  /** Called once a second for all connections, so that no connection needs a timer of its own. */
  checkTimeouts(): void {
    if (this.socket.destroyed) return
    this.checks++
    this.watchReader()
    // A request that is being answered has no timeout here, and a connection that has ended is
    // never handed over.
    if (this.current !== undefined || this.received !== undefined || this.isOver) return
    const { keepAliveSeconds } = this.context
    const isSilent = this.responses === 0 && this.checks > PATIENT_CHECKS
    if (this.partial !== undefined && this.checks > PATIENT_CHECKS)
      this.handOver(Buffer.concat(this.partial.parts))
    else if (isSilent) this.handOver(undefined)
    else if (keepAliveSeconds > 0 && this.checks > keepAliveSeconds) this.socket.destroy()
  }

  /** Closes the connection unless a request has arrived, or part of one. */
  closeIfIdle(): void {
    const isBusy =
      this.current !== undefined || this.received !== undefined || this.partial !== undefined
    if (!isBusy && this.socket.writableLength === 0 && !this.isOver) this.socket.destroy()
  }

  destroy(): void {
    this.socket.destroy()
  }

  /** Handles what has arrived, unless the client has disconnected since. */
  start(): void {
    const { received } = this
    this.received = undefined
    if (this.socket.isPaused()) this.socket.resume()
    if (received !== undefined && !this.isOver && !this.socket.destroyed) this.take(received)
  }

  private readonly onData = (chunk: Buffer): void => {
    // Whatever follows the last request of a connection is not a request.
    if (this.isOver) return
    if (this.current !== undefined) this.keepForLater(chunk)
    else if (this.received !== undefined) {
      this.received = Buffer.concat([this.received, chunk])
      // The parts of a large body would be copied again with each further one until it is started.
      if (this.received.length > MAX_BODY_BYTES) this.socket.pause()
    } else {
      this.received = chunk
      this.client ??= findAuthorization(chunk) ?? this.socket.remoteAddress ?? ''
      this.context.startSoon(this, this.client)
    }
  }

  private readonly onEnd = (): void => {
    // A request that still waits for its batch is not started: its client has already disconnected.
    const isCutOff = this.partial !== undefined || this.received !== undefined
    this.received = undefined
    this.partial = undefined
    this.isOver = true
    if (isCutOff) this.socket.end(BAD_REQUEST)
    else this.socket.end()
  }

  private readonly onClose = (): void => {
    this.context.remove(this)
    this.current?.disconnect()
  }

  private readonly onTimeout = (): void => {
    this.socket.destroy()
  }

  // A client may take long to read a large response; only one that reads nothing at all is
  // disconnected. The socket's own timeout is used because a stream counts whole chunks and does
  // not see how much of one was sent.
  private watchReader(): void {
    const { socket, context } = this
    const isUnread = socket.writableLength > 0
    if (isUnread && this.partial === undefined) this.checks = 0
    const limitMs = isUnread ? context.keepAliveSeconds * 1_000 : 0
    if ((socket.timeout ?? 0) !== limitMs) socket.setTimeout(limitMs)
  }

  // A client that keeps sending without waiting for responses is not read any further.
  private keepForLater(chunk: Buffer): void {
    this.rest = this.rest === undefined ? chunk : Buffer.concat([this.rest, chunk])
    if (this.rest.length > MAX_BODY_BYTES) this.socket.pause()
  }

  private take(chunk: Buffer): void {
    const { partial } = this
    if (partial === undefined) {
      this.takeFirst(chunk)
      return
    }
    partial.parts.push(chunk)
    partial.size += chunk.length
    const { bodyAt, bodyBytes } = partial.head
    if (bodyBytes !== 'chunked' && partial.size < bodyAt + bodyBytes) return
    this.partial = undefined
    this.takeBody(partial)
  }

  private takeFirst(chunk: Buffer): void {
    const head = this.readHead(chunk)
    if (head === undefined || !this.context.fastPath.accepts(head)) {
      this.handOver(chunk)
      return
    }
    this.client = head.headers.authorization ?? this.client
    // Counted from the head on: a body is slow however often a byte of it arrives.
    this.checks = 0
    this.takeBody({ head, parts: [chunk], size: chunk.length })
  }

  private takeBody(partial: PartialRequest): void {
    const { head, parts } = partial
    const bytes = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
    const body = readRequestBody(head, bytes)
    const isScattered = head.bodyBytes === 'chunked' && parts.length >= MAX_CHUNKED_PIECES
    if (body === undefined || (body === 'incomplete' && isScattered)) this.handOver(bytes)
    else if (body === 'incomplete') this.partial = partial
    else this.answer(head, bytes, body)
  }

  private answer(head: RequestHead, bytes: Buffer, { body, end }: RequestBody): void {
    this.currentBytes = bytes.length === end ? bytes : bytes.subarray(0, end)
    this.rest = bytes.length === end ? undefined : bytes.subarray(end)
    const request = new PendingRequest(head, body, this.socket)
    this.current = request
    try {
      const response = this.context.fastPath.respond(request)
      if (response instanceof Promise)
        response.then((settled) => this.finish(settled, head)).catch(this.onFailure)
      else this.finish(response, head)
    } catch (thrown) {
      this.onFailure(thrown)
    }
  }

  private readonly onFailure = (thrown: unknown): void => {
    this.context.fastPath.onError(thrown)
    this.socket.destroy()
  }

  private finish(answer: FastPathAnswer | undefined, head: RequestHead): void {
    if (this.isGone()) return
    if (answer === undefined) {
      this.handOver(
        this.rest === undefined
          ? this.currentBytes
          : Buffer.concat([this.currentBytes as Buffer, this.rest]),
      )
      return
    }
    const isLast = head.isLast || this.context.isClosing() || answer.headers.connection === 'close'
    const after = isLast ? 'close' : 'keep-alive'
    if ('text' in answer) this.send(answer, after)
    else this.stream(answer, after).catch(this.onFailure)
  }

  private isGone(): boolean {
    return this.socket.destroyed || !this.socket.writable
  }

  private send(response: FastPathResponse, after: AfterResponse): void {
    const { headers, text } = response
    // With as many bytes as characters the text is plain ASCII, which latin1 copies instead of
    // encoding it.
    const encoding = headers['content-length'] === String(text.length) ? 'latin1' : 'utf8'
    this.onSent(this.socket.write(this.format(response, after), encoding), after)
  }

  private stream(answer: FastPathStream, after: AfterResponse): Promise<void> {
    const { status, headers } = answer
    const write = (text: string): boolean => this.isGone() || this.socket.write(text)
    return streamBody(answer, {
      sendWhole: (response) => {
        if (!this.isGone()) this.send(response, after)
      },
      begin: (text) => {
        const chunked = { ...headers, 'transfer-encoding': 'chunked' }
        write(this.format({ status, headers: chunked, text: toChunk(text) }, after))
      },
      write: (text) => write(toChunk(text)),
      end: () => {
        if (!this.isGone()) this.onSent(write(LAST_CHUNK), after)
      },
    })
  }

  private format(response: FastPathResponse, after: AfterResponse): string {
    const { date, keepAliveSeconds } = this.context
    return formatResponse(response, { after, keepAliveSeconds, date: date() })
  }

  private onSent(isFlushed: boolean, after: AfterResponse): void {
    this.responses++
    this.checks = 0
    if (after === 'close') this.end()
    else if (isFlushed) this.next()
    // A client that does not read gets no further responses.
    else this.socket.once('drain', this.next)
  }

  private end(): void {
    this.isOver = true
    this.current = undefined
    this.socket.destroySoon()
  }

  private readonly next = (): void => {
    const { socket } = this
    if (!socket.isPaused()) {
      this.continueWithRest()
      return
    }
    socket.resume()
    // While the socket was paused, a disconnect went unnoticed, and the next request would run for
    // a client that has gone. Two turns, because the first may be past the point where sockets are
    // read.
    setImmediate(() => setImmediate(this.continueWithRest))
  }

  // A loop and not a recursion: a thousand pipelined requests with immediate responses would be a
  // thousand calls deep.
  private readonly continueWithRest = (): void => {
    this.hasMore = true
    if (this.isContinuing) return
    this.isContinuing = true
    while (this.hasMore) {
      this.hasMore = false
      this.takeRest()
    }
    this.isContinuing = false
  }

  private takeRest(): void {
    const { rest, socket } = this
    if (this.isOver || socket.destroyed) return
    this.current = undefined
    this.currentBytes = undefined
    this.rest = undefined
    if (rest !== undefined) this.take(rest)
  }

  private handOver(bytes: Buffer | undefined): void {
    const { socket } = this
    this.current = undefined
    this.partial = undefined
    socket.off('data', this.onData)
    socket.off('end', this.onEnd)
    socket.off('close', this.onClose)
    socket.off('drain', this.next)
    socket.off('timeout', this.onTimeout)
    if (socket.timeout !== undefined) socket.setTimeout(0)
    this.context.remove(this)
    socket.pause()
    if (bytes !== undefined) socket.unshift(bytes)
    this.context.handOver(socket)
    socket.off('error', ignoreError)
    socket.resume()
  }
}

function ignoreError(): void {
  // A connection that breaks also closes, and `onClose` handles that.
}

const AUTHORIZATION = /\r\nauthorization: ?([^\r\n]+)\r\n/i
const LOOKED_AT_BYTES = 2_048

/**
 * Looked for before the head is read, so that the first request of a connection does not count for
 * another client than the next ones.
 */
function findAuthorization(chunk: Buffer): string | undefined {
  return AUTHORIZATION.exec(chunk.toString('latin1', 0, LOOKED_AT_BYTES))?.[1]
}

const LAST_CHUNK = '0\r\n\r\n'

function toChunk(text: string): string {
  // A chunk without bytes would end the body.
  return text === '' ? '' : `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
}

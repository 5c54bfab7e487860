import { Buffer } from 'node:buffer'
import type { Socket } from 'node:net'
import { answerText, type Then } from './answer-text.ts'
import { Arrived } from './arrived.ts'
import { MOST_BODY_BYTES, readHead } from './read-head.ts'
import type { StraightAnswer, StraightHead, StraightWay } from './straight-way.ts'

/** What a connection stands on. */
export type StraightPlace = {
  readonly way: StraightWay
  /** Gives the connection to Node's server for good. */
  readonly handOver: (socket: Socket) => void
  /** Calls its `begin` together with those of the others that arrive now. */
  readonly beginSoon: (connection: StraightConnection) => void
  /** It is gone, or Node's. */
  readonly forget: (connection: StraightConnection) => void
  /** Nothing new is taken any more. */
  readonly isClosing: () => boolean
  /** How long a connection is kept on which nothing happens; 0 is for ever, as with Node's server. */
  readonly keepAliveSeconds: number
  readonly date: () => string
}

// what Node says to a request that ends in its midst
const BROKEN_OFF = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'

// a look comes every second: somebody who is silent, or slow with a body, is Node's, which has the time limits for it
const PATIENT_LOOKS = 1

/** The part of a request that has come. */
type Coming = { readonly head: StraightHead; readonly parts: Buffer[]; size: number }

/** One client whose requests are answered straight, one after another, until one comes that is not of the narrow language. */
export class StraightConnection {
  private readonly socket: Socket
  private readonly place: StraightPlace
  /** What has arrived since the last group was begun. */
  private waiting: Buffer | undefined
  private coming: Coming | undefined
  /** The request that is being answered, and its bytes: they are Node's should it have to answer after all. */
  private current: Arrived | undefined
  private bytes: Buffer | undefined
  /** What came behind it. */
  private rest: Buffer | undefined
  private answered = 0
  private isGoingOn = false
  private hasMore = false
  private isOver = false
  private looks = 0

  constructor(socket: Socket, place: StraightPlace) {
    this.socket = socket
    this.place = place
    socket.on('data', this.onData)
    socket.on('end', this.onEnd)
    socket.on('close', this.onClose)
    socket.on('timeout', this.onStuck)
    socket.on('error', ignore)
  }

  /** Now and then, so that no timer is needed for each. */
  look(): void {
    if (this.socket.destroyed) return
    this.looks++
    this.watchReader()
    // what is being answered takes its time, what waits is begun at once, and what has ended is never Node's
    if (this.current !== undefined || this.waiting !== undefined || this.isOver) return
    const { keepAliveSeconds } = this.place
    const isSilent = this.answered === 0 && this.looks > PATIENT_LOOKS
    if (this.coming !== undefined && this.looks > PATIENT_LOOKS)
      this.handOver(Buffer.concat(this.coming.parts))
    else if (isSilent) this.handOver(undefined)
    else if (keepAliveSeconds > 0 && this.looks > keepAliveSeconds) this.socket.destroy()
  }

  /** Ends it where nothing is under way; what is, is answered first. */
  closeIdle(): void {
    const isUnderWay =
      this.current !== undefined || this.waiting !== undefined || this.coming !== undefined
    if (!isUnderWay && this.socket.writableLength === 0 && !this.isOver) this.socket.destroy()
  }

  cut(): void {
    this.socket.destroy()
  }

  /** Looks at what has arrived. Whoever has left meanwhile wants nothing of it. */
  begin(): void {
    const { waiting } = this
    this.waiting = undefined
    if (waiting !== undefined && !this.isOver && !this.socket.destroyed) this.take(waiting)
  }

  private readonly onData = (chunk: Buffer): void => {
    // behind the last request of a connection there is none, whatever it looks like
    if (this.isOver) return
    if (this.current !== undefined) this.keepForLater(chunk)
    else if (this.waiting !== undefined) this.waiting = Buffer.concat([this.waiting, chunk])
    else {
      this.waiting = chunk
      this.place.beginSoon(this)
    }
  }

  private readonly onEnd = (): void => {
    // what still waits is never begun: its client has left in the same breath
    const isBrokenOff = this.coming !== undefined || this.waiting !== undefined
    this.waiting = undefined
    this.coming = undefined
    this.isOver = true
    if (isBrokenOff) this.socket.end(BROKEN_OFF)
    else this.socket.end()
  }

  private readonly onClose = (): void => {
    this.place.forget(this)
    this.current?.leave()
  }

  private readonly onStuck = (): void => {
    this.socket.destroy()
  }

  // a large answer may take its reader long: only one who takes nothing of it is cut off. Only the socket's own time limit sees how much
  // of a piece has gone, a stream counts whole pieces
  private watchReader(): void {
    const { socket, place } = this
    const isUnread = socket.writableLength > 0
    if (isUnread && this.coming === undefined) this.looks = 0
    const limitMs = isUnread ? place.keepAliveSeconds * 1_000 : 0
    if ((socket.timeout ?? 0) !== limitMs) socket.setTimeout(limitMs)
  }

  // whoever sends on and on without waiting for an answer is not read any further
  private keepForLater(chunk: Buffer): void {
    this.rest = this.rest === undefined ? chunk : Buffer.concat([this.rest, chunk])
    if (this.rest.length > MOST_BODY_BYTES) this.socket.pause()
  }

  private take(chunk: Buffer): void {
    const { coming } = this
    if (coming === undefined) {
      this.takeFirst(chunk)
      return
    }
    coming.parts.push(chunk)
    coming.size += chunk.length
    if (coming.size < coming.head.bodyAt + coming.head.bodyBytes) return
    this.coming = undefined
    this.answer(coming.head, Buffer.concat(coming.parts))
  }

  private takeFirst(chunk: Buffer): void {
    const head = readHead(chunk)
    if (head === undefined || !this.place.way.takes(head)) this.handOver(chunk)
    else if (chunk.length >= head.bodyAt + head.bodyBytes) this.answer(head, chunk)
    else {
      // counted from here: a body that drips is slow, however often something comes
      this.looks = 0
      this.coming = { head, parts: [chunk], size: chunk.length }
    }
  }

  private answer(head: StraightHead, bytes: Buffer): void {
    const end = head.bodyAt + head.bodyBytes
    this.bytes = bytes.length === end ? bytes : bytes.subarray(0, end)
    this.rest = bytes.length === end ? undefined : bytes.subarray(end)
    const arrived = new Arrived(head, this.bytes.subarray(head.bodyAt), this.socket)
    this.current = arrived
    try {
      const answer = this.place.way.answer(arrived)
      if (answer instanceof Promise)
        answer.then((told) => this.finish(told, head)).catch(this.onBroken)
      else this.finish(answer, head)
    } catch (thrown) {
      this.onBroken(thrown)
    }
  }

  private readonly onBroken = (thrown: unknown): void => {
    this.place.way.onTrouble(thrown)
    this.socket.destroy()
  }

  private finish(answer: StraightAnswer | undefined, head: StraightHead): void {
    const { socket } = this
    if (socket.destroyed || !socket.writable) return
    if (answer === undefined)
      this.handOver(
        this.rest === undefined ? this.bytes : Buffer.concat([this.bytes as Buffer, this.rest]),
      )
    else
      this.send(
        answer,
        head.isLast || this.place.isClosing() || answer.headers.connection === 'close'
          ? 'close'
          : 'keep-alive',
      )
  }

  private send(answer: StraightAnswer, then: Then): void {
    const { date, keepAliveSeconds } = this.place
    const { headers, text } = answer
    // as many bytes as letters: plain ASCII, which is copied instead of encoded
    const encoding = headers['content-length'] === String(text.length) ? 'latin1' : 'utf8'
    const isTaken = this.socket.write(
      answerText(answer, { then, keepAliveSeconds, date: date() }),
      encoding,
    )
    this.answered++
    this.looks = 0
    if (then === 'close') this.end()
    else if (isTaken) this.next()
    // a client that does not read is not answered any further
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
      this.goOn()
      return
    }
    socket.resume()
    // while it was not read, a client that left went unheard, and what it had sent would be done for nobody.
    // Two turns: the first may be past the point where sockets are read
    setImmediate(() => setImmediate(this.goOn))
  }

  // an answer that is there at once comes back in here: a thousand requests in one piece would be a thousand calls deep
  private readonly goOn = (): void => {
    this.hasMore = true
    if (this.isGoingOn) return
    this.isGoingOn = true
    while (this.hasMore) {
      this.hasMore = false
      this.takeRest()
    }
    this.isGoingOn = false
  }

  private takeRest(): void {
    const { rest, socket } = this
    if (this.isOver || socket.destroyed) return
    this.current = undefined
    this.bytes = undefined
    this.rest = undefined
    if (rest !== undefined) this.take(rest)
  }

  private handOver(bytes: Buffer | undefined): void {
    const { socket } = this
    this.current = undefined
    this.coming = undefined
    socket.off('data', this.onData)
    socket.off('end', this.onEnd)
    socket.off('close', this.onClose)
    socket.off('drain', this.next)
    socket.off('timeout', this.onStuck)
    if (socket.timeout !== undefined) socket.setTimeout(0)
    this.place.forget(this)
    socket.pause()
    if (bytes !== undefined) socket.unshift(bytes)
    this.place.handOver(socket)
    socket.off('error', ignore)
    socket.resume()
  }
}

function ignore(): void {
  // a connection that breaks closes too, and that is heard
}

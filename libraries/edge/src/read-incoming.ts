import { Buffer } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Maybe } from '@surehand/core/ports'
import type { Answering } from './answering.ts'
import { bodyTooLarge, edgeError } from './edge-error.ts'
import { createLoopTurns, type FairTurns, takeNumber } from './fair-turns.ts'
import { freeMemory } from './free-memory/free-memory.ts'

const EMPTY = Buffer.alloc(0)

// Node reads up to two megabytes from a connection before it serves the next one. With many large
// bodies under way that would be tens of megabytes in one turn of the event loop.
const BYTES_A_TURN = 65_536
// What these bytes cost of their client's budget: they take less time to read, but the memory has to
// be collected, and the bodies are worked on.
const COST_MS = 2

/** Turns in which bodies are read, the clients one after the other. */
export function createBodyTurns(answering: Answering | undefined): FairTurns {
  return createLoopTurns({ answering, leastMs: COST_MS })
}

/** The body of a request; what is larger than `maxBytes` is refused. */
export function readIncoming(
  request: IncomingMessage,
  maxBytes: number,
  turns: FairTurns,
): Maybe<Buffer> {
  const { readableLength } = request
  const announced = Number(request.headers['content-length'])
  // A small body usually arrives together with its headers: it can be read without waiting for an
  // event.
  if (announced === readableLength && readableLength <= maxBytes)
    return (request.read() as Buffer | null) ?? EMPTY
  return new Promise((resolve, reject) => {
    const body = announced <= maxBytes ? copyInto(announced) : collectChunks()
    let size = 0
    readInTurns(request, turns, (chunk) => {
      size += chunk.length
      // What arrives after the limit is read and dropped, so that the client gets to read the
      // refusal.
      if (size <= maxBytes) return body.add(chunk)
      reject(bodyTooLarge(maxBytes))
      freeMemory(chunk)
    })
    request.once('end', () => resolve(body.join()))
    const onDisconnect = (): void => {
      if (!request.readableEnded) reject(edgeError('malformed', 'The client has disconnected.'))
    }
    request.once('close', onDisconnect)
    // A request fails only because its client has disconnected: that is no error of the server.
    request.once('error', onDisconnect)
  })
}

/**
 * Reads and drops in turns what a client still sends when its request has been answered. Node would
 * read it as fast as it arrives, and a client whose large bodies are refused would occupy the server
 * with them.
 */
export function dropRestInTurns(
  request: IncomingMessage,
  response: ServerResponse,
  turns: FairTurns,
): void {
  const { headers } = request
  const isChunked = headers['transfer-encoding'] !== undefined
  if (!isChunked && !(Number(headers['content-length']) > BYTES_A_TURN)) return
  // Before Node's server sees that the response has ended and the request has not been read.
  response.once('prefinish', () => {
    if (!request.readableEnded && request.listenerCount('data') === 0)
      readInTurns(request, turns, freeMemory)
  })
}

/** Hands over what arrives, and pauses after each `BYTES_A_TURN` until it is this client's turn. */
function readInTurns(
  request: IncomingMessage,
  turns: FairTurns,
  take: (chunk: Buffer) => void,
): void {
  const client = request.headers.authorization ?? request.socket.remoteAddress ?? ''
  const order = takeNumber()
  let readInTurn = 0
  request.on('data', (chunk: Buffer) => {
    readInTurn += chunk.length
    take(chunk)
    if (readInTurn < BYTES_A_TURN) return
    readInTurn = 0
    request.pause()
    void turns.next(client, { order }).then(() => request.resume())
  })
}

type Chunks = { readonly add: (chunk: Buffer) => void; readonly join: () => Buffer }

function collectChunks(): Chunks {
  const chunks: Buffer[] = []
  return { add: (chunk) => void chunks.push(chunk), join: () => joinChunks(chunks) }
}

// What arrives before the first turn of a body.
const BEGINNING = 2 * BYTES_A_TURN

/**
 * The parts of a body of known length, each copied to its place when it arrives: joining two
 * megabytes at the end takes milliseconds in which nothing else is served. Node makes each part for
 * this reader alone. The body takes its memory when more than its beginning arrives, so in its turn:
 * of sixteen large bodies that a client sends at once, one is in memory and the beginnings of the
 * others.
 */
function copyInto(length: number): Chunks {
  const beginning: Buffer[] = []
  let whole: Buffer | undefined
  let filled = 0
  return {
    add(chunk) {
      if (whole === undefined && filled + chunk.length <= BEGINNING) {
        beginning.push(chunk)
        filled += chunk.length
        return
      }
      if (whole === undefined) {
        whole = Buffer.allocUnsafeSlow(length)
        joinChunks(beginning.splice(0)).copy(whole)
      }
      filled += chunk.copy(whole, filled)
      freeMemory(chunk)
    },
    join: () => whole?.subarray(0, filled) ?? joinChunks(beginning),
  }
}

function joinChunks(chunks: readonly Buffer[]): Buffer {
  const joined = Buffer.concat(chunks)
  for (const chunk of chunks) freeMemory(chunk)
  return joined
}

import type { IncomingMessage } from 'node:http'
import type { Maybe } from '@surehand/core/ports'
import type { StraightRequest } from '@surehand/edge'
import { edgeError } from './edge-error.ts'
import type { Surface } from './options.ts'
import { tooLarge } from './too-large.ts'
import type { WireContext } from './wire.ts'

/** One request, as every way in sees it: the straight one, Node's own and the app's. No rule of the edge looks at anything else. */
export type Visit = {
  /** By its name in small letters; one that came several times reads as a list. */
  readonly header: (name: string) => string | undefined
  /** Names and values in turn, as they came; undefined where no socket stands behind the request, or each is known to have come once. */
  readonly rawHeaders: readonly string[] | undefined
  /** The address at the other end of the socket. */
  readonly peer: () => string | undefined
  /** The body; throws as soon as it is larger. */
  readonly bytes: (maxBytes: number) => Maybe<Buffer>
  readonly startedTicks: number
  readonly requestId: () => string
}

/** A request that comes through the app. */
export function contextVisit({ req, env }: WireContext, surface: Surface): Visit {
  const { raw } = req
  return {
    header: (name) => raw.headers.get(name) ?? undefined,
    rawHeaders: env?.incoming?.rawHeaders,
    peer: () => env?.incoming?.socket.remoteAddress,
    bytes: (maxBytes) => bytesOfRequest(raw, maxBytes),
    startedTicks: surface.clock.ticks(),
    requestId: newRequestId(surface),
  }
}

/** A request as Node gives it. */
export function nodeVisit(request: IncomingMessage, surface: Surface): Visit {
  const { headers } = request
  return {
    header(name) {
      const value = headers[name]
      return typeof value === 'string' ? value : undefined
    },
    rawHeaders: request.rawHeaders,
    peer: () => request.socket.remoteAddress,
    bytes: (maxBytes) => bytesOfIncoming(request, maxBytes),
    startedTicks: surface.clock.ticks(),
    requestId: newRequestId(surface),
  }
}

/** A request that came straight: small, whole, and no header twice. */
export function straightVisit({ headers, body, peer }: StraightRequest, surface: Surface): Visit {
  return {
    header: (name) => headers[name],
    rawHeaders: undefined,
    peer,
    bytes: (maxBytes) => {
      if (body.length > maxBytes) throw tooLarge(maxBytes)
      return body
    },
    startedTicks: surface.clock.ticks(),
    requestId: newRequestId(surface),
  }
}

// most requests are answered without anybody asking for it
function newRequestId({ chance, clock }: Surface): () => string {
  let id: string | undefined
  return () => {
    id ??= chance.newId('req', clock.now())
    return id
  }
}

async function bytesOfRequest(request: Request, maxBytes: number): Promise<Buffer> {
  // with its length told, Node itself reads no more than that
  if (request.headers.has('content-length') && !request.headers.has('transfer-encoding'))
    return Buffer.from(await request.arrayBuffer())
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function bytesOfIncoming(request: IncomingMessage, maxBytes: number): Maybe<Buffer> {
  // a small body came with its headers and lies there whole: no event has to be waited for
  if (Number(request.headers['content-length']) === request.readableLength)
    return (request.read() as Buffer | null) ?? NOTHING
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    let size = 0
    request.on('data', (chunk: Uint8Array) => {
      size += chunk.byteLength
      if (size <= maxBytes) chunks.push(chunk)
      else reject(tooLarge(maxBytes))
    })
    request.once('end', () => resolve(Buffer.concat(chunks)))
    request.once('close', () => {
      // nobody is there to read this
      if (!request.readableEnded) reject(edgeError('malformed', 'The client has left.'))
    })
    request.once('error', reject)
  })
}

const NOTHING = Buffer.alloc(0)

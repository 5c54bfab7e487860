import { Buffer } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Maybe } from '@surehand/core/ports'
import { bodyTooLarge, edgeError } from './edge-error.ts'
import type { FastPathRequest } from './fast-path/fast-path.ts'
import type { RemoteClient } from './remote-address.ts'

/**
 * An HTTP request as the rules of this package see it, whether Node's server or the fast path
 * received it.
 */
export type EdgeRequest = RemoteClient & {
  /**
   * Names and values in turn, as they arrived; undefined where each header is known to have come
   * once.
   */
  readonly rawHeaders: readonly string[] | undefined
  /** The body; throws as soon as it is larger than `maxBytes`. */
  readonly readBytes: (maxBytes: number) => Maybe<Buffer>
}

/** A request of Node's server. */
export function fromNode(request: IncomingMessage): EdgeRequest {
  const { headers } = request
  return {
    header(name) {
      const value = headers[name]
      return typeof value === 'string' ? value : undefined
    },
    rawHeaders: request.rawHeaders,
    peerAddress: () => request.socket.remoteAddress,
    readBytes: (maxBytes) => readIncoming(request, maxBytes),
  }
}

/** A request of the fast path: its body has arrived, and no header came twice. */
export function fromFastPath({ headers, body, peerAddress }: FastPathRequest): EdgeRequest {
  return {
    header: (name) => headers[name],
    rawHeaders: undefined,
    peerAddress,
    readBytes(maxBytes) {
      if (body.length > maxBytes) throw bodyTooLarge(maxBytes)
      return body
    },
  }
}

const EMPTY = Buffer.alloc(0)

function readIncoming(request: IncomingMessage, maxBytes: number): Maybe<Buffer> {
  const { readableLength } = request
  // A small body usually arrives together with its headers: it can be read without waiting for an
  // event.
  if (Number(request.headers['content-length']) === readableLength && readableLength <= maxBytes)
    return (request.read() as Buffer | null) ?? EMPTY
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      // What arrives after the limit is read and dropped, so that the client gets to read the
      // refusal.
      if (size <= maxBytes) chunks.push(chunk)
      else reject(bodyTooLarge(maxBytes))
    })
    request.once('end', () => resolve(Buffer.concat(chunks)))
    request.once('close', () => {
      if (!request.readableEnded) reject(edgeError('malformed', 'The client has disconnected.'))
    })
    request.once('error', reject)
  })
}

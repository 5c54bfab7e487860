import type { Buffer } from 'node:buffer'
import type { Maybe } from '@surehand/core/ports'
import type { Answering } from '../answering.ts'

/**
 * The head of a request in the narrow grammar of `readRequestHead`: each header came once, and
 * nothing in it is ambiguous.
 */
export type RequestHead = {
  /** Without the query. */
  readonly path: string
  /** With its question mark; empty without a query. */
  readonly query: string
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Where the body begins, in bytes from the start of the request. */
  readonly bodyAt: number
  readonly bodyBytes: number | 'chunked'
  /**
   * True with `Connection: close`, and for HTTP/1.0 without `keep-alive`: the client sends no
   * further request on this connection.
   */
  readonly isLast: boolean
  /** False with HTTP/1.0, which knows no chunks: a response must have its length. */
  readonly takesChunks: boolean
}

/** A request that has arrived completely. */
export type FastPathRequest = Pick<RequestHead, 'path' | 'headers' | 'takesChunks'> & {
  readonly body: Buffer
  /** The address at the other end of the socket. */
  readonly peerAddress: () => string | undefined
  /** Aborts when the client disconnects before it has its response. */
  readonly disconnectSignal: () => AbortSignal
}

export type FastPathResponse = {
  readonly status: number
  /** Includes the content-length, in bytes. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** A response whose body is written little by little, only to clients that take chunks. */
export type FastPathStream = {
  readonly status: number
  /** Without a length. */
  readonly headers: Readonly<Record<string, string>>
  /** Writes the body; the response ends when the promise resolves. */
  readonly writeBody: (write: (text: string) => void) => Promise<void>
}

export type FastPathAnswer = FastPathResponse | FastPathStream

/** The requests that a handler can answer on the socket, without Node's HTTP server. */
export type FastPath = {
  /** Called with the head alone, so that a body is awaited only where the handler wants it. */
  readonly accepts: (head: Pick<RequestHead, 'path' | 'headers'>) => boolean
  /**
   * Undefined passes the request on to Node's server; nothing may have been done for it by then.
   */
  readonly respond: (request: FastPathRequest) => Maybe<FastPathAnswer | undefined>
  /**
   * Called with what `respond` threw; the client's connection is closed, as Node's server would do.
   */
  readonly onError: (thrown: unknown) => void
  /** The calls that are being answered: other requests are started when these have passed. */
  readonly answering?: Answering
}

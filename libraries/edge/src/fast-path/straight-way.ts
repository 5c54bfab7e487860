import type { Buffer } from 'node:buffer'
import type { Maybe } from '@surehand/core/ports'

/** The head of a request that is in order in every respect: each header came once, and nothing in it can be read in two ways. */
export type StraightHead = {
  readonly path: string
  /** By their names in small letters. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly bodyAt: number
  readonly bodyBytes: number
  /** The client wants nothing more on this connection. */
  readonly isLast: boolean
}

/** A whole request. */
export type StraightRequest = Pick<StraightHead, 'path' | 'headers'> & {
  readonly body: Buffer
  /** The address at the other end of the socket. */
  readonly peer: () => string | undefined
  /** Aborts when the client goes before it has its answer. */
  readonly leaving: () => AbortSignal
}

export type StraightAnswer = {
  readonly status: number
  /** With the length of the body, as bytes. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** What a handler answers without Node's server in between. */
export type StraightWay = {
  /** Asked with the head alone, so that a body is waited for only where somebody takes it. */
  readonly takes: (head: Pick<StraightHead, 'path' | 'headers'>) => boolean
  /** Undefined: this is for Node's server after all, and nothing has been done yet. */
  readonly answer: (request: StraightRequest) => Maybe<StraightAnswer | undefined>
  /** Hears of an answer that broke; the client sees its connection end, as with Node's server. */
  readonly onTrouble: (thrown: unknown) => void
}

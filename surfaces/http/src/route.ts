import type { Caller } from '@surehand/core'
import type { z } from 'zod'
import type { HttpContext } from './http-env.ts'
import type { Surface } from './options.ts'

/** One path of the surface, its command name in envelopes, and its handler. */
export type Route = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly command: string
  readonly summary: string
  readonly query?: z.ZodObject
  /** Headers that mean something to this path; the OpenAPI document describes each once. */
  readonly headers?: readonly RouteHeader[]
  readonly body?: Documented
  readonly returns: Returned
  /** Returns the data of the envelope, or a whole response. */
  readonly handle: (context: HttpContext, caller: Caller, surface: Surface) => unknown
}

export type RouteHeader = 'If-Match' | 'Prefer' | 'Idempotency-Key' | 'Surehand-Notify'

/** A schema for the OpenAPI document, made on first use, with an example that fits it. */
export type Documented = {
  readonly schema: () => z.ZodType
  readonly example: unknown
}

/**
 * What a route answers: data in an envelope, the envelope of a call, server-sent events, JSON lines,
 * a file, or the OpenAPI document.
 */
export type Returned = Documented | 'call' | 'events' | 'lines' | 'file' | 'document'

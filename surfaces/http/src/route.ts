import type { Caller } from '@surehand/core'
import type { HttpContext } from './http-env.ts'
import type { Surface } from './options.ts'

/** One path of the surface, its command name in envelopes, and its handler. */
export type Route = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly command: string
  readonly summary: string
  /** Set where the response is not an envelope. */
  readonly mediaType?: 'text/event-stream'
  /** Returns the data of the envelope, or a whole response. */
  readonly handle: (context: HttpContext, caller: Caller, surface: Surface) => unknown
}

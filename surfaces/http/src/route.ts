import type { Caller } from '@surehand/core'
import type { Surface } from './options.ts'
import type { WireContext } from './wire.ts'

/** One path of the surface: what it is called in envelopes, and what it answers to whom. */
export type Route = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly command: string
  readonly summary: string
  /** What it gives where that is no envelope. */
  readonly gives?: 'text/event-stream'
  /** The data of the envelope, or a whole response. */
  readonly answer: (context: WireContext, caller: Caller, surface: Surface) => unknown
}

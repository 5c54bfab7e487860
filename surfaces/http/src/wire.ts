import type { IncomingMessage, ServerResponse } from 'node:http'
import type { EdgeState } from '@surehand/edge'
import type { Context } from 'hono'
import type { Visit } from './visit.ts'

/** What stands beside a request: Node's own objects, where it came through Node's server. */
export type Wire = {
  readonly Bindings: { readonly incoming?: IncomingMessage; readonly outgoing?: ServerResponse }
  readonly Variables: { visit: Visit; edge?: EdgeState }
}

export type WireContext = Context<Wire>

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RateLimitState } from '@surehand/edge'
import type { Context } from 'hono'
import type { RequestIdentity } from './authenticate-request.ts'
import type { HttpRequest } from './http-request.ts'

/**
 * Hono's environment: Node's own objects, where the request came through Node's server, and what
 * earlier handlers set.
 */
export type HttpEnv = {
  readonly Bindings: { readonly incoming?: IncomingMessage; readonly outgoing?: ServerResponse }
  readonly Variables: {
    request: HttpRequest
    rateLimit?: RateLimitState
    /** Set on every path of the API, before its handler. */
    identity?: RequestIdentity
  }
}

export type HttpContext = Context<HttpEnv>

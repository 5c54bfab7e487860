import type { Caller } from '@surehand/core'
import { edgeError } from './edge-error.ts'
import type { EdgeLimit } from './edge-limit.ts'
import type { Surface } from './options.ts'
import type { WireContext } from './wire.ts'

/** Who calls, from the bearer token alone, and within the edge's limit. */
export async function admitCaller(context: WireContext, surface: Surface, limit: EdgeLimit): Promise<Caller> {
  const [, bearer] = /^Bearer +([\x21-\x7e]+)$/i.exec(context.req.header('authorization') ?? '') ?? []
  const signedIn = bearer === undefined ? undefined : await surface.identity.authenticate(bearer)
  // one sentence for every reason: what is wrong with a token is nobody's business who has none
  if (signedIn === undefined) throw edgeError('not_signed_in', 'Send a valid token: Authorization: Bearer …')
  const edge = limit.take(signedIn.credential)
  context.set('edge', edge)
  if (edge.isOver)
    throw edgeError('too_many_requests', 'Too many requests with this token.', {
      limit: edge.limit,
      retry_after_ms: edge.resetSeconds * 1_000,
    })
  return signedIn.caller
}

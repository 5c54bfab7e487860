import type { Caller } from '@surehand/core'
import type { Maybe } from '@surehand/core/ports'
import type { EdgeState } from '@surehand/edge'
import type { SignedIn } from '@surehand/identity'
import { edgeError } from './edge-error.ts'
import type { Surface } from './options.ts'
import type { Visit } from './visit.ts'

export type Admitted = { readonly caller: Caller; readonly edge: EdgeState }

const BEARER = /^Bearer +([\x21-\x7e]+)$/i

/** Who calls, from the bearer token alone, and within the edge's limit. Not waited for where the token is known. */
export function admitCaller(visit: Visit, surface: Surface): Maybe<Admitted> {
  const met = surface.strangers.meet(visit, bearerOf(visit), surface.identity.authenticate)
  return met instanceof Promise
    ? met.then((signedIn) => withinLimit(signedIn, surface))
    : withinLimit(met, surface)
}

function withinLimit(signedIn: SignedIn | undefined, { credentials }: Surface): Admitted {
  // one sentence for every reason: what is wrong with a token is nobody's business who has none
  if (signedIn === undefined)
    throw edgeError('not_signed_in', 'Send a valid token: Authorization: Bearer …')
  const edge = credentials.take(signedIn.credential)
  if (edge.isOver)
    throw edgeError('too_many_requests', 'Too many requests with this token.', {
      limit: edge.limit,
      retry_after_ms: edge.resetSeconds * 1_000,
    })
  return { caller: signedIn.caller, edge }
}

/** Does the token they came with still hold? For whoever stays long. */
export async function isStillAdmitted(visit: Visit, { identity }: Surface): Promise<boolean> {
  const bearer = bearerOf(visit)
  return bearer !== undefined && (await identity.authenticate(bearer)) !== undefined
}

function bearerOf(visit: Visit): string | undefined {
  return BEARER.exec(visit.header('authorization') ?? '')?.[1]
}

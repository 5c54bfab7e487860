import type { Caller } from '@surehand/core'
import {
  type Admitted,
  type Authenticated,
  authenticate,
  edgeError,
  type RateLimitState,
  type RemoteClient,
  readBearerToken,
  tooManyRequests,
} from '@surehand/edge'
import type { HttpContext } from './http-env.ts'
import type { Surface } from './options.ts'
import { findSignedInPerson } from './page/signed-in-person.ts'

/** Pages of this server send it; see `authenticateRequest`. */
export const PAGE_HEADER = 'surehand-page'

/** Who sent a request, and by which credential; a stream asks again who that is. */
export type RequestIdentity = {
  readonly caller: Caller
  readonly rateLimit: RateLimitState
  readonly credential: string
  /** The name that its requests are counted under. */
  readonly countedAs: string
  /** With the rights of today; undefined when the credential is not valid any more. */
  readonly currentCaller: () => Promise<Caller | undefined>
}

/**
 * Who sent this request: the owner of its bearer token, or the person who is signed in, where a page
 * of this server sent it. The session's cookie alone opens nothing. The header `Surehand-Page`
 * makes browsers ask this server before another origin's page may send the request, which it
 * refuses, and the origin is compared as well.
 */
export async function authenticateRequest(
  context: HttpContext,
  surface: Surface,
): Promise<RequestIdentity> {
  const request = context.get('request')
  if (isPageRequest(request)) return authenticatePage(context, surface)
  const admitted = await authenticate(request, surface.identity.authenticate, surface.edge)
  return { rateLimit: admitted.rateLimit, ...ownerOfToken(request, admitted, surface) }
}

/** What is known of the owner of the token that a request was sent with. */
export function ownerOfToken(
  request: Pick<RemoteClient, 'header'>,
  { identity }: Admitted<Authenticated>,
  surface: Surface,
): Omit<RequestIdentity, 'rateLimit'> {
  const token = readBearerToken(request)
  return {
    caller: identity.caller,
    credential: token ?? '',
    countedAs: identity.credential,
    currentCaller: async () =>
      token === undefined ? undefined : (await surface.identity.authenticate(token))?.caller,
  }
}

/** Whether the session of a person authenticates the request, not a token. */
export function isPageRequest(request: Pick<RemoteClient, 'header'>): boolean {
  return request.header('authorization') === undefined && request.header(PAGE_HEADER) !== undefined
}

async function authenticatePage(context: HttpContext, surface: Surface): Promise<RequestIdentity> {
  const { sessions, edge } = surface
  const request = context.get('request')
  refuseForeignPage(context, surface)
  const findPerson = async () =>
    sessions === undefined ? undefined : findSignedInPerson(context, { surface, sessions })
  const person = await findPerson()
  if (person === undefined)
    throw edgeError('not_signed_in', 'You are not signed in, or your session has ended. Sign in.')
  const credential = `session ${person.session.id}`
  const rateLimit = edge.tokenLimiter.take(credential)
  if (rateLimit.isExceeded) {
    await edge.refusals.hold(credential)
    throw tooManyRequests(rateLimit, 'session')
  }
  return {
    caller: edge.locate(person.caller, request),
    rateLimit,
    credential,
    countedAs: credential,
    currentCaller: async () => (await findPerson())?.caller,
  }
}

// Browsers send Origin with every request that changes something, and Sec-Fetch-Site with all.
function refuseForeignPage(context: HttpContext, { origin }: Surface): void {
  const sentFrom = context.req.header('origin')
  const isRead = context.req.method === 'GET'
  const site = context.req.header('sec-fetch-site') ?? 'same-origin'
  if ((sentFrom ?? (isRead ? origin : '')) !== origin || site !== 'same-origin')
    throw edgeError('foreign_origin', 'Only pages of this server may use the session of a person.')
}

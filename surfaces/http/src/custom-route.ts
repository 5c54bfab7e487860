import type { Caller } from '@surehand/core'
import { authenticate, readBody } from '@surehand/edge'
import type { Hono } from 'hono'
import type { HttpContext, HttpEnv } from './http-env.ts'
import type { Surface } from './options.ts'
import { askToSignIn, findSignedInPerson } from './page/signed-in-person.ts'
import { SAFE_HEADERS } from './reply.ts'

/** A path that the app adds to the surface, behind the surface's own header checks. */
export type CustomRoute = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  /** Who may send a request: with a bearer token, a person who is signed in, or everyone. */
  readonly auth: 'none' | 'token' | 'person'
  /** The largest body that is read. Default: 1 MB. */
  readonly maxBytes?: number
  readonly handle: (received: ReceivedRequest) => Promise<Response>
}

export type ReceivedRequest = {
  /** The web's request; its body has arrived whole. */
  readonly request: Request
  readonly params: Readonly<Record<string, string>>
  readonly caller: Caller | undefined
  readonly address: string
}

const MAX_BYTES = 1_000_000

export function addCustomRoutes(
  app: Hono<HttpEnv>,
  routes: readonly CustomRoute[],
  surface: Surface,
): void {
  for (const route of routes)
    app.on(route.method, [route.path], async (context) =>
      withSafeHeaders(await serveCustomRoute(route, context, surface)),
    )
}

async function serveCustomRoute(
  { auth, maxBytes = MAX_BYTES, handle }: CustomRoute,
  context: HttpContext,
  surface: Surface,
): Promise<Response> {
  const received = context.get('request')
  const caller = await findCaller(auth, context, surface)
  if (caller === 'unknown') return askToSignIn(context)
  const { raw } = context.req
  const body =
    raw.method === 'GET'
      ? undefined
      : await readBody(received, {
          maxBytes,
          timeoutMs: surface.bodyTimeoutMs,
          clock: surface.clock,
        })
  const request =
    body === undefined
      ? raw
      : new Request(raw.url, {
          method: raw.method,
          headers: raw.headers,
          body: new Uint8Array(body),
          signal: raw.signal,
        })
  return handle({
    request,
    params: context.req.param() as Record<string, string>,
    caller,
    address: surface.edge.addressOf(received),
  })
}

async function findCaller(
  auth: CustomRoute['auth'],
  context: HttpContext,
  surface: Surface,
): Promise<Caller | undefined | 'unknown'> {
  switch (auth) {
    case 'none':
      return undefined
    case 'token': {
      const { identity, rateLimit } = await authenticate(
        context.get('request'),
        surface.identity.authenticate,
        surface.edge,
      )
      context.set('rateLimit', rateLimit)
      await surface.runtime.ready(identity.caller.tenant)
      return identity.caller
    }
    case 'person': {
      const { sessions } = surface
      if (sessions === undefined) return 'unknown'
      const person = await findSignedInPerson(context, { surface, sessions })
      return person === undefined
        ? 'unknown'
        : surface.edge.locate(person.caller, context.get('request'))
    }
  }
}

// A route may set these headers itself, for pages with scripts, frames or a cache.
function withSafeHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(SAFE_HEADERS))
    if (!response.headers.has(name)) response.headers.set(name, value)
  return response
}

import { Hono } from 'hono'
import { admitCaller } from './admit-caller.ts'
import { edgeError } from './edge-error.ts'
import { createEdgeLimit } from './edge-limit.ts'
import { guard } from './guard.ts'
import { openApi } from './openapi.ts'
import { type HttpOptions, normalOptions, type Surface } from './options.ts'
import { pageRoutes } from './page/page-routes.ts'
import { plainOutcome, reply, SAFE_HEADERS } from './reply.ts'
import type { Route } from './route.ts'
import { administrationRoutes } from './routes/administration.ts'
import { approvalRoutes } from './routes/approvals.ts'
import { auditRoutes } from './routes/audit.ts'
import { callRoutes } from './routes/calls.ts'
import { toolRoutes } from './routes/tools.ts'
import { tellable } from './tellable.ts'
import type { Wire, WireContext } from './wire.ts'

const ROUTES: readonly Route[] = [...toolRoutes, ...callRoutes, ...approvalRoutes, ...auditRoutes, ...administrationRoutes]

/** Surehand over HTTP: an app whose `fetch` answers requests; further paths may be added to it. */
export function httpSurface(options: HttpOptions): Hono<Wire> {
  const surface = normalOptions(options)
  const limit = createEdgeLimit(surface.edge, surface.clock)
  const app = new Hono<Wire>()

  app.use(async (context, next) => {
    context.set('startedTicks', surface.clock.ticks())
    context.set('requestId', surface.chance.newId('req', surface.clock.now()))
    guard(context, surface)
    const origin = context.req.header('origin')
    if (origin === undefined || !surface.corsOrigins.has(origin)) return next()
    if (context.req.method === 'OPTIONS') return new Response(null, { status: 204, headers: corsHeaders(origin) })
    await next()
    for (const [name, value] of Object.entries(corsHeaders(origin))) context.header(name, value)
  })

  for (const route of [...ROUTES, documentRoute]) app.on(route.method, [route.path], (context) => answer(route, context, surface, limit))
  pageRoutes(app, surface)

  app.notFound((context) => {
    const error = edgeError(
      // a name that is empty or holds a slash names no tool
      context.req.path.startsWith('/v1/tools/') ? 'no_such_tool' : 'no_such_path',
      `There is nothing at ${context.req.method} ${context.req.path}; /openapi.json says what there is.`,
    )
    return reply(plainOutcome('http', { error }, context, surface), context, surface)
  })
  app.onError((thrown, context) =>
    reply(plainOutcome('http', { error: tellable(thrown, context, surface) }, context, surface), context, surface),
  )
  return app
}

const documentRoute: Route = {
  method: 'GET',
  path: '/openapi.json',
  command: 'openapi',
  summary: 'This document.',
  answer: (_, caller, surface) => Response.json(openApi(caller, surface, ROUTES), { headers: SAFE_HEADERS }),
}

async function answer(route: Route, context: WireContext, surface: Surface, limit: ReturnType<typeof createEdgeLimit>): Promise<Response> {
  try {
    const caller = await admitCaller(context, surface, limit)
    const data = await route.answer(context, caller, surface)
    return data instanceof Response ? data : reply(plainOutcome(route.command, { data }, context, surface), context, surface)
  } catch (thrown) {
    return reply(plainOutcome(route.command, { error: tellable(thrown, context, surface) }, context, surface), context, surface)
  }
}

function corsHeaders(origin: string): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, POST, PUT, DELETE',
    'access-control-allow-headers': 'authorization, content-type, idempotency-key, if-match, prefer, surehand-repeat, x-request-id',
    'access-control-expose-headers': 'location, ratelimit-limit, ratelimit-remaining, ratelimit-reset, retry-after',
    'access-control-max-age': '600',
    vary: 'Origin',
  }
}

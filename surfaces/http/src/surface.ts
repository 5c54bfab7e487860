import { Hono } from 'hono'
import { admitCaller } from './admit-caller.ts'
import { corsHeaders } from './cors.ts'
import { edgeError } from './edge-error.ts'
import { guard } from './guard.ts'
import { openApi } from './openapi.ts'
import type { Surface } from './options.ts'
import { pageRoutes } from './page/page-routes.ts'
import { plainOutcome, respond, SAFE_HEADERS } from './reply.ts'
import type { Route } from './route.ts'
import { administrationRoutes } from './routes/administration.ts'
import { approvalRoutes } from './routes/approvals.ts'
import { auditRoutes } from './routes/audit.ts'
import { callRoutes } from './routes/calls.ts'
import { credentialRoutes } from './routes/credentials.ts'
import { importRoutes } from './routes/imports.ts'
import { questionRoutes } from './routes/questions.ts'
import { toolRoutes } from './routes/tools.ts'
import { tellable } from './tellable.ts'
import { contextVisit } from './visit.ts'
import type { Wire, WireContext } from './wire.ts'

const ROUTES: readonly Route[] = [
  ...toolRoutes,
  ...callRoutes,
  ...approvalRoutes,
  ...questionRoutes,
  ...auditRoutes,
  ...administrationRoutes,
  ...credentialRoutes,
  ...importRoutes,
]

/** Everything this surface answers, as an app. */
export function httpSurface(surface: Surface): Hono<Wire> {
  const app = new Hono<Wire>()

  app.use(async (context, next) => {
    const visit = contextVisit(context, surface)
    context.set('visit', visit)
    guard(visit, surface)
    const cors = corsHeaders(visit, surface)
    if (cors === undefined) return next()
    if (context.req.method === 'OPTIONS') return new Response(null, { status: 204, headers: cors })
    await next()
    for (const [name, value] of Object.entries(cors)) context.header(name, value)
  })

  for (const route of [...ROUTES, documentRoute])
    app.on(route.method, [route.path], (context) => answer(route, context, surface))
  pageRoutes(app, surface)

  app.notFound((context) => {
    const error = edgeError(
      // a name that is empty or holds a slash names no tool
      context.req.path.startsWith('/v1/tools/') ? 'no_such_tool' : 'no_such_path',
      `There is nothing at ${context.req.method} ${context.req.path}; /openapi.json says what there is.`,
    )
    return respond(plainOutcome('http', { error }, context.get('visit'), surface), context, surface)
  })
  app.onError((thrown, context) => {
    const visit = context.get('visit')
    return respond(
      plainOutcome('http', { error: tellable(thrown, visit, surface) }, visit, surface),
      context,
      surface,
    )
  })
  return app
}

const documentRoute: Route = {
  method: 'GET',
  path: '/openapi.json',
  command: 'openapi',
  summary: 'This document.',
  answer: (_, caller, surface) =>
    Response.json(openApi(caller, surface, ROUTES), { headers: SAFE_HEADERS }),
}

async function answer(route: Route, context: WireContext, surface: Surface): Promise<Response> {
  const visit = context.get('visit')
  try {
    const { caller, edge } = await admitCaller(visit, surface)
    context.set('edge', edge)
    await surface.runtime.ready(caller.tenant)
    const data = await route.answer(context, caller, surface)
    return data instanceof Response
      ? data
      : respond(plainOutcome(route.command, { data }, visit, surface), context, surface)
  } catch (thrown) {
    return respond(
      plainOutcome(route.command, { error: tellable(thrown, visit, surface) }, visit, surface),
      context,
      surface,
    )
  }
}

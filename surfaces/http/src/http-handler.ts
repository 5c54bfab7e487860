import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { checkHeaders, edgeError, type FastPath } from '@surehand/edge'
import { Hono } from 'hono'
import { authenticateRequest } from './authenticate-request.ts'
import { paceListing } from './call-tool.ts'
import { corsHeaders } from './cors.ts'
import { addCustomRoutes, type CustomRoute } from './custom-route.ts'
import type { HttpContext, HttpEnv } from './http-env.ts'
import { fromContext } from './http-request.ts'
import { openApi } from './openapi.ts'
import { type HttpOptions, normalizeOptions, type Surface } from './options.ts'
import { addPageRoutes, notFoundPage } from './page/page-routes.ts'
import { isPage, writePage } from './paging.ts'
import { toPublicError } from './public-error.ts'
import { commandOutcome, respond, SAFE_HEADERS } from './reply.ts'
import type { Route } from './route.ts'
import { administrationRoutes } from './routes/administration.ts'
import { approvalRoutes } from './routes/approvals.ts'
import { artifactRoutes } from './routes/artifacts.ts'
import { auditRoutes } from './routes/audit.ts'
import { callRoutes } from './routes/calls.ts'
import { credentialRoutes } from './routes/credentials.ts'
import { figureRoutes } from './routes/figures.ts'
import { importRoutes } from './routes/imports.ts'
import { inboxRoutes } from './routes/inbox.ts'
import { notificationRoutes } from './routes/notifications.ts'
import { programRoutes } from './routes/programs.ts'
import { questionRoutes } from './routes/questions.ts'
import { sessionRoutes } from './routes/session.ts'
import { openSessionRoutes } from './routes/sessions.ts'
import { toolDetailRoutes } from './routes/tool-details.ts'
import { toolRoutes } from './routes/tools.ts'
import { viewRoutes } from './routes/views.ts'
import { webhookRoutes } from './routes/webhooks.ts'
import { whatIfRoutes } from './routes/what-if.ts'
import { createCallFastPath, matchToolCall, serveCall } from './serve-call.ts'

/**
 * A request listener of Node's server. Requests that its fast path answers never reach the
 * listener.
 */
export type NodeHandler = ((request: IncomingMessage, response: ServerResponse) => void) & {
  readonly fastPath?: FastPath
}

export type HttpHandler = NodeHandler & { readonly fastPath: FastPath }

export type HttpHandlerOptions = HttpOptions & {
  /** Adds further paths, after the surface's own and behind the same header checks. */
  readonly extend?: (app: Hono<HttpEnv>) => void
  /** Further paths that authenticate as the surface's own paths do. */
  readonly routes?: readonly CustomRoute[]
}

/**
 * The HTTP surface. Plain calls are served on the fast path or directly on Node's request,
 * everything else by a Hono app.
 * @example
 * const listening = await listen(
 *   (port) => httpHandler({ runtime, identity, publicUrl: `http://127.0.0.1:${port}` }),
 *   { port: 4114, hostname: '127.0.0.1' },
 * )
 */
export function httpHandler({ extend, routes = [], ...options }: HttpHandlerOptions): HttpHandler {
  const surface = normalizeOptions(options)
  const app = httpSurface(surface)
  extend?.(app)
  addCustomRoutes(app, routes, surface)
  // Hono sorts its paths when it first looks for one, which takes 10 ms: now, and not while the
  // first client and all others wait.
  app.router.match('GET', '/')
  const serveWithApp = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const tool = matchToolCall(request)
    const served =
      tool === undefined
        ? serveWithApp(request, response)
        : serveCall(tool, request, response, surface)
    served.catch((thrown: unknown) => {
      surface.onError(thrown, 'unanswered')
      response.destroy()
    })
  }
  return Object.assign(handle, { fastPath: createCallFastPath(surface) })
}

/** Every path of the API, in the order of the OpenAPI document. */
export const ROUTES: readonly Route[] = [
  ...toolRoutes,
  ...toolDetailRoutes,
  ...callRoutes,
  ...artifactRoutes,
  ...approvalRoutes,
  ...questionRoutes,
  ...inboxRoutes,
  ...viewRoutes,
  ...auditRoutes,
  ...administrationRoutes,
  ...whatIfRoutes,
  ...figureRoutes,
  ...sessionRoutes,
  ...openSessionRoutes,
  ...credentialRoutes,
  ...importRoutes,
  ...programRoutes,
  ...notificationRoutes,
  ...webhookRoutes,
  {
    method: 'GET',
    path: '/openapi.json',
    command: 'openapi',
    summary: 'Returns this document, with the tools that you may use.',
    returns: 'document',
    async handle(context, caller, surface) {
      const pace = paceListing(context, caller, surface)
      const { length, body } = await openApi({ caller, surface, routes: DESCRIBED, pace })
      return new Response(body, {
        headers: {
          ...SAFE_HEADERS,
          'content-type': 'application/json',
          'content-length': String(length),
        },
      })
    },
  },
]

// Each tool has a path of its own in the document.
const DESCRIBED = ROUTES.filter(({ command }) => command !== 'tools.call')

/** All paths of the surface as a Hono app. */
function httpSurface(surface: Surface): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()

  app.use(async (context, next) => {
    const request = fromContext(context, surface)
    context.set('request', request)
    checkHeaders(request, surface)
    const cors = corsHeaders(request, surface)
    if (cors !== undefined && context.req.method === 'OPTIONS')
      return new Response(null, { status: 204, headers: cors })
    await next()
    for (const [name, value] of Object.entries(cors ?? {})) context.header(name, value)
    // Pages and the routes of packs answer 503 by themselves.
    if (context.res.status === 503 && !context.res.headers.has('retry-after'))
      context.header('retry-after', '2')
  })

  for (const route of ROUTES)
    app.on(route.method, [route.path], (context) => serveRoute(route, context, surface))
  addPageRoutes(app, surface)

  app.notFound((context) => {
    const html = notFoundPage(context)
    if (html !== undefined) return html
    const error = edgeError(
      // A tool name that is empty or contains a slash reaches no route.
      context.req.path.startsWith('/v1/tools/') ? 'no_such_tool' : 'no_such_path',
      `There is nothing at ${context.req.method} ${context.req.path}. /openapi.json lists all paths.`,
    )
    return respond(
      commandOutcome('http', { error }, context.get('request'), surface),
      context,
      surface,
    )
  })
  app.onError((thrown, context) => respondToError('http', thrown, context, surface))
  return app
}

async function serveRoute(route: Route, context: HttpContext, surface: Surface): Promise<Response> {
  const request = context.get('request')
  try {
    const identity = await authenticateRequest(context, surface)
    const { caller } = identity
    context.set('identity', identity)
    context.set('rateLimit', identity.rateLimit)
    await surface.runtime.ready(caller.tenant)
    const returned = await route.handle(context, caller, surface)
    if (returned instanceof Response) return returned
    const data = isPage(returned)
      ? await writePage(returned, paceListing(context, caller, surface))
      : returned
    return respond(commandOutcome(route.command, { data }, request, surface), context, surface)
  } catch (thrown) {
    return respondToError(route.command, thrown, context, surface)
  }
}

function respondToError(
  command: string,
  thrown: unknown,
  context: HttpContext,
  surface: Surface,
): Response {
  const request = context.get('request')
  const error = toPublicError(thrown, request, surface)
  return respond(commandOutcome(command, { error }, request, surface), context, surface)
}

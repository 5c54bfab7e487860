import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { FastPath } from '@surehand/edge'
import type { Hono } from 'hono'
import { addCustomRoutes, type CustomRoute } from './custom-route.ts'
import type { HttpEnv } from './http-env.ts'
import { type HttpOptions, normalizeOptions } from './options.ts'
import { createCallFastPath, matchToolCall, serveCall } from './serve-call.ts'
import { httpSurface } from './surface.ts'

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

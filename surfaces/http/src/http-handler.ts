import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { StraightWay } from '@surehand/edge'
import type { Hono } from 'hono'
import { type HttpOptions, normalOptions } from './options.ts'
import { calledTool, serveCall } from './serve-call.ts'
import { straightCalls } from './straight-calls.ts'
import { httpSurface } from './surface.ts'
import type { Wire } from './wire.ts'

/** What Node's server calls for every request; what is answered straight, where it can be, never comes to it. */
export type NodeHandler = ((request: IncomingMessage, response: ServerResponse) => void) & {
  readonly straight?: StraightWay
}

export type HttpHandler = NodeHandler & { readonly straight: StraightWay }

export type HttpHandlerOptions = HttpOptions & {
  /** Further paths, behind the same guards; they come after our own. */
  readonly extend?: (app: Hono<Wire>) => void
}

/** Surehand over HTTP: plain calls straight on the socket or on Node, everything else through an app. */
export function httpHandler({ extend, ...options }: HttpHandlerOptions): HttpHandler {
  const surface = normalOptions(options)
  const app = httpSurface(surface)
  extend?.(app)
  const serveRest = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const tool = calledTool(request)
    const served =
      tool === undefined
        ? serveRest(request, response)
        : serveCall(tool, request, response, surface)
    served.catch((thrown: unknown) => {
      surface.onTrouble(thrown, 'unanswered')
      response.destroy()
    })
  }
  return Object.assign(handle, { straight: straightCalls(surface) })
}

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'

export type ListenOptions = {
  readonly port: number
  readonly hostname: string
  /** For a whole request with its body; what is slower is cut off. */
  readonly requestTimeoutMs?: number
  readonly headersTimeoutMs?: number
}

export type Listening = {
  readonly server: Server
  readonly port: number
  /** Takes nothing new, lets what runs end within the time, then cuts off the rest. */
  readonly close: (withinMs: number) => Promise<void>
}

type Fetch = (request: Request, env: object) => Response | Promise<Response>

/** Serves a fetch function with Node's own server, with its time limits on. `makeFetch` is told the port it got. */
export async function listen(makeFetch: (port: number) => Fetch, options: ListenOptions): Promise<Listening> {
  const { requestTimeoutMs = 30_000, headersTimeoutMs = 10_000 } = options
  const server = createServer({
    requestTimeout: requestTimeoutMs,
    headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
    connectionsCheckingInterval: 1_000,
    keepAliveTimeout: 65_000,
    requireHostHeader: true,
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.hostname, resolve)
  })
  const { port } = server.address() as AddressInfo
  const serve = makeFetch(port)
  server.on(
    'request',
    getRequestListener((request, env) => serve(request, env), { overrideGlobalObjects: false }),
  )
  return {
    server,
    port,
    close: (withinMs) =>
      new Promise((resolve) => {
        const cut = setTimeout(() => server.closeAllConnections(), withinMs)
        server.close(() => {
          clearTimeout(cut)
          resolve()
        })
        server.closeIdleConnections()
      }),
  }
}

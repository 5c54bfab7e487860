import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openStraightWay } from '@surehand/edge'
import type { NodeHandler } from './http-handler.ts'

export type ListenOptions = {
  readonly port: number
  readonly hostname: string
  /** For a whole request with its body; what is slower is cut off. */
  readonly requestTimeoutMs?: number
  readonly headersTimeoutMs?: number
}

const IDLE_LOOK_MS = 50

export type Listening = {
  readonly server: Server
  readonly port: number
  /** Takes nothing new, lets what runs end within the time, then cuts off the rest. */
  readonly close: (withinMs: number) => Promise<void>
}

/** Serves with Node's own server, with its time limits on. `makeHandler` is told the port it got. */
export async function listen(
  makeHandler: (port: number) => NodeHandler,
  options: ListenOptions,
): Promise<Listening> {
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
  const handler = makeHandler(port)
  server.on('request', handler)
  const way = handler.straight === undefined ? undefined : openStraightWay(server, handler.straight)
  const closeIdle = (): void => {
    server.closeIdleConnections()
    way?.closeIdle()
  }
  return {
    server,
    port,
    close: (withinMs) =>
      new Promise((resolve) => {
        const cut = setTimeout(() => {
          server.closeAllConnections()
          way?.cut()
        }, withinMs)
        // a connection that had its last answer is kept alive by its client: it falls idle only after this began
        const idle = setInterval(closeIdle, IDLE_LOOK_MS)
        closeIdle()
        server.close(() => {
          clearTimeout(cut)
          clearInterval(idle)
          resolve()
        })
      }),
  }
}

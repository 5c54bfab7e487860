import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { askForSmallParts } from '@surehand/core/ports'
import {
  createBodyTurns,
  createRequestTurns,
  dropRestInTurns,
  LIGHT_MS,
  lingerOnClose,
  openFastPath,
  type RequestTurns,
} from '@surehand/edge'
import type { NodeHandler } from './http-handler.ts'

export type ListenOptions = {
  readonly port: number
  readonly hostname: string
  /** For a whole request with its body; a slower client is disconnected. */
  readonly requestTimeoutMs?: number
  readonly headersTimeoutMs?: number
  /**
   * False: Node's server answers every request, also those that the handler's fast path could
   * answer.
   */
  readonly fastPath?: boolean
}

const IDLE_CHECK_MS = 50

export type Listening = {
  readonly server: Server
  readonly port: number
  /**
   * Accepts nothing new, lets running requests end within the time, then closes the remaining
   * connections.
   */
  readonly close: (withinMs: number) => Promise<void>
}

/**
 * Listens with Node's HTTP server and its timeouts. `createHandler` receives the port that was
 * assigned.
 */
export async function listen(
  createHandler: (port: number) => NodeHandler,
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
  const handler = createHandler(port)
  server.on('connection', lingerOnClose)
  const answering = handler.fastPath?.answering
  const turns = createRequestTurns({ answering, onLight: () => askForSmallParts(LIGHT_MS) })
  const rests = createBodyTurns(answering)
  server.on('request', (request, response) => dropRestInTurns(request, response, rests))
  server.on('request', inTurns(handler, turns.startOnNode))
  const fastPath =
    handler.fastPath === undefined || options.fastPath === false
      ? undefined
      : openFastPath(server, handler.fastPath, turns)
  const closeIdle = (): void => {
    server.closeIdleConnections()
    fastPath?.closeIdle()
  }
  return {
    server,
    port,
    close: (withinMs) =>
      new Promise((resolve) => {
        const deadline = setTimeout(() => {
          server.closeAllConnections()
          fastPath?.closeAll()
        }, withinMs)
        // Clients keep their connections alive after the last response, so connections become idle
        // also after this began.
        const idleCheck = setInterval(closeIdle, IDLE_CHECK_MS)
        closeIdle()
        server.close(() => {
          clearTimeout(deadline)
          clearInterval(idleCheck)
          resolve()
        })
      }),
  }
}

/** Requests that arrive together are started a few at a time, the clients in turn. */
function inTurns(handler: NodeHandler, startSoon: RequestTurns['startOnNode']): NodeHandler {
  return (request, response) => {
    const { headers, socket } = request
    const start = (): void => {
      // Its client has disconnected while it waited.
      if (!response.destroyed) handler(request, response)
    }
    startSoon({ start, connection: socket }, headers.authorization ?? socket.remoteAddress ?? '')
  }
}

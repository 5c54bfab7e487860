import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { createRequestTurns, type RequestTurns } from '../request-turns.ts'
import type { FastPath } from './fast-path.ts'
import { type ConnectionContext, FastPathConnection } from './fast-path-connection.ts'
import { createHttpDate } from './format-response.ts'

export type OpenFastPath = {
  /**
   * Closes idle connections. From the first call on, each connection is closed after its next
   * response.
   */
  readonly closeIdle: () => void
  readonly closeAll: () => void
}

const CHECK_EVERY_MS = 1_000

/**
 * Lets a handler answer plain requests on the socket, in front of Node's HTTP server, which
 * otherwise costs more than a small call itself. At the first request that is not plain, a
 * connection is handed to Node's server permanently, with everything it has sent. A server that
 * does not call this function behaves the same, only slower. `turns` are those of the server's other
 * requests, if it has any.
 */
export function openFastPath(
  server: Server,
  fastPath: FastPath,
  turns: RequestTurns = createRequestTurns(),
): OpenFastPath {
  const nodeListeners = server.listeners('connection') as ((this: Server, socket: Socket) => void)[]
  const connections = new Set<FastPathConnection>()
  let isClosing = false
  const context: ConnectionContext = {
    fastPath,
    handOver(socket) {
      for (const accept of nodeListeners) accept.call(server, socket)
    },
    startSoon: turns.startFast,
    remove: (connection) => connections.delete(connection),
    isClosing: () => isClosing,
    keepAliveSeconds: Math.ceil(server.keepAliveTimeout / CHECK_EVERY_MS),
    date: createHttpDate(),
  }
  server.removeAllListeners('connection')
  server.on('connection', (socket) => connections.add(new FastPathConnection(socket, context)))
  const timer = setInterval(() => {
    for (const connection of connections) connection.checkTimeouts()
  }, CHECK_EVERY_MS)
  timer.unref()
  server.once('close', () => clearInterval(timer))
  return {
    closeIdle() {
      isClosing = true
      for (const connection of connections) connection.closeIfIdle()
    },
    closeAll() {
      for (const connection of connections) connection.destroy()
    },
  }
}

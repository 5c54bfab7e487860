import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { createDateText } from './answer-text.ts'
import { inGroups } from './in-groups.ts'
import { StraightConnection, type StraightPlace } from './straight-connection.ts'
import type { StraightWay } from './straight-way.ts'

export type OpenedWay = {
  /** Ends connections on which nothing is under way. From its first call on, an answer is the last of its connection. */
  readonly closeIdle: () => void
  /** Ends all of them. */
  readonly cut: () => void
}

const LOOK_EVERY_MS = 1_000

/**
 * Lets a handler answer plain requests on the socket itself, in front of Node's server: most of what a small call costs is that server's.
 * A connection is handed on to it, with everything it has sent, at the first request that is out of the ordinary in any way.
 */
export function openStraightWay(server: Server, way: StraightWay): OpenedWay {
  const toNode = server.listeners('connection') as ((this: Server, socket: Socket) => void)[]
  const connections = new Set<StraightConnection>()
  let isClosing = false
  const place: StraightPlace = {
    way,
    handOver(socket) {
      for (const take of toNode) take.call(server, socket)
    },
    beginSoon: inGroups((connection: StraightConnection) => connection.begin()),
    forget: (connection) => connections.delete(connection),
    isClosing: () => isClosing,
    keepAliveSeconds: Math.ceil(server.keepAliveTimeout / LOOK_EVERY_MS),
    date: createDateText(),
  }
  server.removeAllListeners('connection')
  server.on('connection', (socket) => connections.add(new StraightConnection(socket, place)))
  const looking = setInterval(() => {
    for (const connection of connections) connection.look()
  }, LOOK_EVERY_MS)
  looking.unref()
  server.once('close', () => clearInterval(looking))
  return {
    closeIdle() {
      isClosing = true
      for (const connection of connections) connection.closeIdle()
    },
    cut() {
      for (const connection of connections) connection.cut()
    },
  }
}

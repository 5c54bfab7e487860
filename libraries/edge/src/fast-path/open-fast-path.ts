import type { Server } from 'node:http'
import type { Socket } from 'node:net'
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
 * does not call this function behaves the same, only slower.
 */
export function openFastPath(server: Server, fastPath: FastPath): OpenFastPath {
  const nodeListeners = server.listeners('connection') as ((this: Server, socket: Socket) => void)[]
  const connections = new Set<FastPathConnection>()
  let isClosing = false
  const context: ConnectionContext = {
    fastPath,
    handOver(socket) {
      for (const accept of nodeListeners) accept.call(server, socket)
    },
    startSoon: runInBatches((connection: FastPathConnection) => connection.start()),
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

// The first item of a batch waits until the last one was started, so batches must not grow without
// limit.
const MAX_BATCH = 32

/**
 * Returns a function that queues an item; the items queued in one turn of the event loop are worked
 * on together, after all sockets were read. Handled one by one, each response wakes its client and
 * the kernel evicts the CPU caches before the next request starts: that takes twice the CPU time.
 */
export function runInBatches<T>(work: (item: T) => void): (item: T) => void {
  let current: T[] = []

  function run(batch: readonly T[]): void {
    if (current === batch) current = []
    let started = 0
    try {
      for (const item of batch) {
        started++
        work(item)
      }
    } finally {
      // An item that throws must not stop the rest of its batch.
      if (started < batch.length) setImmediate(run, batch.slice(started))
    }
  }

  return (item) => {
    if (current.length === 0 || current.length === MAX_BATCH) {
      current = []
      setImmediate(run, current)
    }
    current.push(item)
  }
}

import { ToolError } from '@surehand/core'
import { type Dispatcher, Pool } from 'undici'
import { type ConnectOptions, openConnection, type Route } from './connect.ts'

export type Pools = {
  /** The connection pool of a tenant for a route. */
  readonly poolFor: (tenant: string, route: Route) => Dispatcher
  /** Ends all connections, including requests in progress. */
  readonly close: () => Promise<void>
}

const MAX_POOLS = 256
const MAX_CONNECTIONS = 16
const MAX_HEADER_BYTES = 32 * 1024
const KEEP_ALIVE_MS = 4_000
const MAX_KEEP_ALIVE_MS = 30_000

/**
 * Reuses connections. The key of a pool contains everything that was checked, so a name that
 * resolves to another address gets a new pool. Tenants never share a connection: an NTLM login is
 * bound to it, and a surplus response in it would reach the next request.
 */
export function createPools(connecting: Omit<ConnectOptions, 'signal'>): Pools {
  const pools = new Map<string, Pool>()
  const closing = new AbortController()

  function open(route: Route): Pool {
    return new Pool(route.origin, {
      connect: (_, done) => {
        openConnection(route, { ...connecting, signal: closing.signal }).then(
          (socket) => done(null, socket),
          (error: Error) => done(error, null),
        )
      },
      connections: MAX_CONNECTIONS,
      // A pipelined request behind one that fails would be sent twice.
      pipelining: 1,
      allowH2: false,
      // Explicit, because an environment variable would select another parser.
      useMilo: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: MAX_KEEP_ALIVE_MS,
      // Timeouts are measured by egress, on the clock that it was given.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }

  function dropOldest(): void {
    const [oldest] = pools
    if (oldest === undefined || pools.size <= MAX_POOLS) return
    pools.delete(oldest[0])
    // Requests in progress may finish.
    void oldest[1].close()
  }

  return {
    poolFor(tenant, route) {
      if (closing.signal.aborted)
        throw new ToolError('TOOL_RESOURCE_UNAVAILABLE', 'Egress is closed.', { effect: 'none' })
      const key = JSON.stringify([tenant, route.origin, route.addresses.toSorted()])
      const pool = pools.get(key) ?? open(route)
      // The map is ordered by last use.
      pools.delete(key)
      pools.set(key, pool)
      dropOldest()
      return pool
    },
    async close() {
      closing.abort(new ToolError('TOOL_CANCELLED', 'Egress was closed.', { effect: 'none' }))
      const all = [...pools.values()]
      pools.clear()
      await Promise.all(all.map((pool) => pool.destroy()))
    },
  }
}

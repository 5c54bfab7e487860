import { ToolError } from '@surehand/core'
import { type Dispatcher, Pool } from 'undici'
import { type Connecting, connectAlong, type Route } from './connect.ts'

export type Pools = {
  /** The connections of a tenant along a route. */
  readonly along: (tenant: string, route: Route) => Dispatcher
  /** Ends everything, what is under way included. */
  readonly close: () => Promise<void>
}

const MAX_POOLS = 256
const MAX_CONNECTIONS = 16
const MAX_HEADER_BYTES = 32 * 1024
const KEEP_ALIVE_MS = 4_000
const LONGEST_KEEP_ALIVE_MS = 30_000

/**
 * Connections kept for reuse, by everything that was checked: a name that is found elsewhere now gets others.
 * No two tenants share one: a login can be bound to a connection (NTLM), and an answer too many can lie in it.
 */
export function createPools(connecting: Omit<Connecting, 'signal'>): Pools {
  const pools = new Map<string, Pool>()
  const closing = new AbortController()

  function open(route: Route): Pool {
    return new Pool(route.origin, {
      connect: (_, done) => {
        connectAlong(route, { ...connecting, signal: closing.signal }).then(
          (socket) => done(null, socket),
          (error: Error) => done(error, null),
        )
      },
      connections: MAX_CONNECTIONS,
      // a second request behind a first that fails would be sent twice
      pipelining: 1,
      allowH2: false,
      // said aloud: an environment variable would choose another parser
      useMilo: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: LONGEST_KEEP_ALIVE_MS,
      // the limits are ours, on the clock that was handed in
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }

  function dropOldest(): void {
    const [oldest] = pools
    if (oldest === undefined || pools.size <= MAX_POOLS) return
    pools.delete(oldest[0])
    // what is under way in it may end
    void oldest[1].close()
  }

  return {
    along(tenant, route) {
      if (closing.signal.aborted)
        throw new ToolError('TOOL_RESOURCE_UNAVAILABLE', 'Egress is closed.', { effect: 'none' })
      const key = JSON.stringify([tenant, route.origin, route.addresses.toSorted()])
      const pool = pools.get(key) ?? open(route)
      // the last in the map is the one used last
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

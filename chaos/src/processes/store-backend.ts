import { join } from 'node:path'
import { startCluster } from '@surehand/sql/testing/cluster'
import type { StoreLocation } from '../node/messages.ts'

export type StoreKind = StoreLocation['kind']

/** Where the nodes' stores live: a folder of SQLite files, or a PostgreSQL server of our own. */
export type StoreBackend = {
  readonly createStore: () => Promise<StoreLocation>
  /**
   * Stops the server at once, without flushing; the returned function starts it again. Undefined
   * for SQLite.
   */
  readonly cutPower: (() => Promise<() => Promise<void>>) | undefined
  readonly close: () => Promise<void>
}

export async function startStoreBackend(kind: StoreKind, folder: string): Promise<StoreBackend> {
  if (kind === 'sqlite') return sqliteBackend(folder)
  const cluster = await startCluster()
  return {
    createStore: async () => ({ kind: 'postgres', url: await cluster.createDatabase() }),
    async cutPower() {
      await cluster.stopImmediately()
      return cluster.restart
    },
    close: cluster.stop,
  }
}

function sqliteBackend(folder: string): StoreBackend {
  let files = 0
  return {
    createStore: async () => ({ kind: 'sqlite', file: join(folder, `store-${++files}.db`) }),
    cutPower: undefined,
    close: async () => undefined,
  }
}

import { join } from 'node:path'
import { startCluster } from '@surehand/sql/testing/cluster'
import type { StorePlace } from '../node/messages.ts'

export type StoreKind = StorePlace['kind']

/** What the stores stand on: a folder of files, or a server that can be taken away. */
export type Ground = {
  readonly newPlace: () => Promise<StorePlace>
  /** Pulls the server's plug; the answer puts it back. Undefined where there is no server. */
  readonly pullPlug: (() => Promise<() => Promise<void>>) | undefined
  readonly end: () => Promise<void>
}

export async function layGround(kind: StoreKind, folder: string): Promise<Ground> {
  if (kind === 'sqlite') return sqliteGround(folder)
  const cluster = await startCluster()
  return {
    newPlace: async () => ({ kind: 'postgres', url: await cluster.createDatabase() }),
    async pullPlug() {
      await cluster.stopImmediately()
      return cluster.restart
    },
    end: cluster.stop,
  }
}

function sqliteGround(folder: string): Ground {
  let files = 0
  return {
    newPlace: async () => ({ kind: 'sqlite', file: join(folder, `store-${++files}.db`) }),
    pullPlug: undefined,
    end: async () => undefined,
  }
}

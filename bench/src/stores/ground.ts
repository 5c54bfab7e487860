import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createEmptyDatabase, dropDatabase } from '../../../stores/sql/testing/create-database.ts'
import { type Cluster, startCluster } from '../../../stores/sql/testing/start-cluster.ts'
import type { Store } from './contenders.ts'
import { serverCpuMs } from './server-cpu.ts'

/** Where the stores of a run lie: all on the disk whose rate is shown. */
export type Ground = {
  readonly folder: string
  /** A fresh database for one contender; it is gone when the work is done. */
  readonly withPlace: <T>(store: Store, work: (place: string) => Promise<T>) => Promise<T>
  readonly serverCpuMs: () => number
  readonly close: () => Promise<void>
}

export async function openGround(scratch: string, stores: ReadonlySet<Store>): Promise<Ground> {
  const folder = join(scratch, `stores-${process.pid}`)
  const cluster = stores.has('postgres') ? await start(join(folder, 'postgres')) : undefined
  let files = 0

  async function onFile<T>(work: (place: string) => Promise<T>): Promise<T> {
    const home = join(folder, `sqlite-${++files}`)
    mkdirSync(home, { recursive: true })
    try {
      return await work(join(home, 'bench.db'))
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  }

  async function onServer<T>({ url }: Cluster, work: (place: string) => Promise<T>): Promise<T> {
    const database = await createEmptyDatabase(url('postgres'))
    try {
      return await work(database)
    } finally {
      await dropDatabase(database)
    }
  }

  return {
    folder,
    withPlace: (store, work) =>
      store === 'postgres' && cluster !== undefined ? onServer(cluster, work) : onFile(work),
    serverCpuMs: () => (cluster === undefined ? 0 : serverCpuMs(join(folder, 'postgres', 'data'))),
    async close() {
      await cluster?.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function start(folder: string): Promise<Cluster> {
  mkdirSync(folder, { recursive: true })
  return startCluster({ folder })
}

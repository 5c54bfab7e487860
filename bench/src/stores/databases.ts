import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createEmptyDatabase, dropDatabase } from '../../../stores/sql/testing/create-database.ts'
import { type Cluster, startCluster } from '../../../stores/sql/testing/start-cluster.ts'
import { TICK_MS } from '../harness/noise.ts'
import type { Store } from './contenders.ts'

/** Databases for the contenders, all on the disk whose fdatasync rate is reported. */
export type Databases = {
  /** Creates an empty database, passes its file or URL to `work`, and deletes it afterwards. */
  readonly withDatabase: <T>(store: Store, work: (place: string) => Promise<T>) => Promise<T>
  /** CPU time of the PostgreSQL server so far. */
  readonly serverCpuMs: () => number
  readonly close: () => Promise<void>
}

/** Starts a PostgreSQL server only where a contender needs one. */
export async function openDatabases(
  folder: string,
  stores: ReadonlySet<Store>,
): Promise<Databases> {
  const serverFolder = join(folder, 'postgres')
  const cluster = stores.has('postgres') ? await startServer(serverFolder) : undefined
  let files = 0

  async function withFile<T>(work: (place: string) => Promise<T>): Promise<T> {
    const own = join(folder, `sqlite-${++files}`)
    mkdirSync(own, { recursive: true })
    try {
      return await work(join(own, 'bench.db'))
    } finally {
      rmSync(own, { recursive: true, force: true })
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
    withDatabase: (store, work) =>
      store === 'postgres' && cluster !== undefined ? onServer(cluster, work) : withFile(work),
    serverCpuMs: () => (cluster === undefined ? 0 : readServerCpuMs(join(serverFolder, 'data'))),
    close: async () => cluster?.stop(),
  }
}

async function startServer(folder: string): Promise<Cluster> {
  mkdirSync(folder, { recursive: true })
  return startCluster({ folder })
}

/** The CPU time that a PostgreSQL server and all its processes have used so far: it belongs to the run and is not noise. */
function readServerCpuMs(dataFolder: string): number {
  const server = Number(readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0])
  const own = readProcessStat(server)
  if (own === undefined) return 0
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readProcessStat(Number(name)))
    .filter((stat) => stat?.parent === server)
  const ticks = children.reduce((sum, stat) => sum + (stat?.ticks ?? 0), own.ticks + own.childTicks)
  return ticks * TICK_MS
}

type ProcessStat = { readonly parent: number; readonly ticks: number; readonly childTicks: number }

/** Undefined for a process that has ended. */
function readProcessStat(pid: number): ProcessStat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The process name, in parentheses, may contain spaces.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [parent = 0, user = 0, system = 0, childUser = 0, childSystem = 0] = [
      1, 11, 12, 13, 14,
    ].map((index) => fields[index])
    return { parent, ticks: user + system, childTicks: childUser + childSystem }
  } catch {
    return undefined
  }
}

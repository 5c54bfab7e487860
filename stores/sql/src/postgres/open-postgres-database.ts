import type { Row, SqlValue } from '@surehand/core/internal'
import type { Database } from '../database.ts'
import type { PostgresOptions } from '../options.ts'
import { isRead, notARead } from '../statement-kind.ts'
import { storageError } from '../storage-error.ts'
import { type JobPlace, jobPlace, prepareJobs } from './boss.ts'
import { jobWorker } from './job-worker.ts'
import { migratePostgres } from './migrate-postgres.ts'
import { openPools, type Pools } from './pools.ts'
import { stepRunner } from './run-step.ts'
import { begin, onSession, rollBack } from './session.ts'
import { sessionsOf } from './sessions.ts'
import type { WakeUp } from './sql-on.ts'
import type { Statements } from './statements.ts'
import { statements } from './statements.ts'
import { installTestClock } from './test-clock.ts'
import { transactor } from './transact.ts'

const POOL_SIZE = 10

/**
 * Opens the stores' database on PostgreSQL. Several nodes may open it at once; the first creates
 * the tables.
 */
export async function openPostgresDatabase(options: PostgresOptions): Promise<Database> {
  const pools = openPools(options.url, options.poolSize ?? POOL_SIZE)
  const { place, wakeUp } = await prepare(pools, options).catch(async (thrown: unknown) => {
    await pools.close()
    throw storageError(thrown)
  })
  const texts = {
    statement: statements(options.time ?? 'database'),
    wakeUp,
    secretKeys: options.secretKeys ?? [],
  }
  const step = stepRunner(pools, texts)
  return {
    dialect: 'postgres',
    step,
    transact: transactor(sessionsOf(pools), texts, step),
    query: queryReader(pools, texts.statement),
    ...closing(jobWorker(options.url, place), pools),
  }
}

// A worker that was not stopped would continue without its database.
function closing(work: Database['work'], pools: Pools): Pick<Database, 'work' | 'close'> {
  const stops = new Set<() => Promise<void>>()
  return {
    work(worker) {
      const stop = work(worker)
      stops.add(stop)
      return async () => {
        stops.delete(stop)
        await stop()
      }
    },
    async close() {
      await Promise.all([...stops].map((stop) => stop()))
      await pools.close()
    },
  }
}

function prepare(
  pools: Pools,
  options: PostgresOptions,
): Promise<{ readonly place: JobPlace; readonly wakeUp: WakeUp }> {
  return onSession(pools.durable, async (client) => {
    await migratePostgres(client, options)
    const place = await jobPlace(client)
    const wakeUp = await prepareJobs(client, place)
    if (options.time === 'shifted') await installTestClock(client, place.schema)
    return { place, wakeUp }
  })
}

/** Reads pack data. The transaction is read-only, so that a WITH … INSERT is rejected as well. */
function queryReader(pools: Pools, statement: Statements): Database['query'] {
  return async (text: string, values: readonly SqlValue[]) => {
    if (!isRead(text)) throw notARead()
    return onSession(pools.packs, async (client) => {
      const read = begin(client, 'begin read only')(statement(text, values))
      // All three statements are sent together; the session answers them in order.
      const ended = rollBack(client)
      try {
        return (await read).rows as Row[]
      } finally {
        await ended
      }
    })
  }
}

import type { Row, SqlValue } from '@surehand/core/internal'
import type pg from 'pg'
import { recordSealer } from '../audit/record-seal.ts'
import type { Database } from '../database.ts'
import {
  CREATE_MIGRATIONS,
  INSERT_MIGRATION,
  knownMigrations,
  missingMigrations,
  type OwnedMigration,
  SELECT_MIGRATIONS,
} from '../migrate.ts'
import type { PostgresOptions } from '../options.ts'
import { translator } from '../portable.ts'
import { isRead, notARead } from '../statement-kind.ts'
import { storageError } from '../storage-error.ts'
import { type JobPlace, jobPlace, jobWorker, prepareJobs } from './boss.ts'
import { findTogether } from './group-writes/find-together.ts'
import { lockNumber } from './lock-number.ts'
import { openPools, type Pools } from './pools.ts'
import { stepRunner } from './run-step.ts'
import { begin, onSession, rollBack } from './session.ts'
import { sessionsOf } from './sessions.ts'
import type { WakeUp } from './sql-on.ts'
import { type Statements, statements } from './statements.ts'
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
    sealer: recordSealer(options.sealKey),
  }
  const oneByOne = stepRunner(pools, texts)
  const step = options.groupCommit === 'off' ? oneByOne : findTogether(oneByOne)
  return {
    dialect: 'postgres',
    step,
    transact: transactor(sessionsOf(pools), texts, step, options.groupCommit),
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

// Large tables take their time, and another node may be migrating before us.
const MIGRATE_MS = 600_000

/** Migrates the tables. Of several nodes that start at once, one migrates and the others wait. */
export async function migratePostgres(
  client: pg.ClientBase,
  { packs }: PostgresOptions,
): Promise<void> {
  const known = knownMigrations(packs, 'postgres')
  if ((await missingNow(client, known)).length === 0) return
  const run = (text: string, values: readonly string[] = []) =>
    client.query({ text, values: [...values], query_timeout: MIGRATE_MS } as pg.QueryConfig)
  await run('begin')
  try {
    await run(`set local lock_timeout = ${MIGRATE_MS}`)
    await run(`set local statement_timeout = ${MIGRATE_MS}`)
    await run('select pg_advisory_xact_lock($1)', [lockNumber('surehand migrations')])
    await run(CREATE_MIGRATIONS)
    // While the tables are created, the test clock does not exist yet.
    const translate = translator('postgres', 'database')
    for (const { owner, name, statements } of await missingNow(client, known)) {
      for (const statement of statements) await run(translate(statement))
      await run(translate(INSERT_MIGRATION), [owner, name])
    }
    await run('commit')
  } catch (thrown) {
    await client.query('rollback').catch(() => undefined)
    throw thrown
  }
}

async function missingNow(
  client: pg.ClientBase,
  known: readonly OwnedMigration[],
): Promise<readonly OwnedMigration[]> {
  const { rows } = await client.query(
    "select to_regclass('surehand_migrations') is not null as found",
  )
  if (Number(rows[0]?.found) === 0) return known
  return missingMigrations(known, (await client.query(SELECT_MIGRATIONS)).rows)
}

/**
 * Tests move or stop the database's clock through the single row of `test_clock`. pg-boss reads the
 * time through one function of its own, which then uses the same row: a delayed job is due by the
 * stores' time.
 */
export async function installTestClock(client: pg.ClientBase, bossSchema: string): Promise<void> {
  await client.query('begin')
  try {
    await client.query('select pg_advisory_xact_lock($1)', [lockNumber('surehand test clock')])
    await client.query(
      'create table if not exists test_clock (offset_ms bigint not null, stopped_at bigint)',
    )
    await client.query(
      'insert into test_clock (offset_ms) select 0 where not exists (select 1 from test_clock)',
    )
    const { rows } = await client.query('select current_schema() as schema')
    const table = `${rows[0]?.schema}.test_clock`
    await client.query(`create or replace function ${bossSchema}.job_now() returns timestamp with time zone language sql stable as $$
      select coalesce(
        (select to_timestamp(stopped_at / 1000.0) from ${table}),
        pg_catalog.now() + make_interval(secs => (select offset_ms from ${table}) / 1000.0))
    $$`)
    await client.query('commit')
  } catch (thrown) {
    await client.query('rollback').catch(() => undefined)
    throw thrown
  }
}

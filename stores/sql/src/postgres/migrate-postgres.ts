import type pg from 'pg'
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
import { lockNumber } from './lock-number.ts'

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

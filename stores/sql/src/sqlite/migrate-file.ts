import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { ToolError } from '@surehand/core'
import {
  type AppliedMigration,
  CREATE_MIGRATIONS,
  INSERT_MIGRATION,
  knownMigrations,
  missingMigrations,
  SELECT_MIGRATIONS,
} from '../migrate.ts'
import type { SqliteOptions } from '../options.ts'
import { translator } from '../portable.ts'
import { type Connection, openConnection } from './connection.ts'
import { retryWhileBusy } from './retry-while-busy.ts'
import { isDriverError } from './serialized-error.ts'

const SELECT_TABLE =
  "select 1 from sqlite_master where type = 'table' and name = 'surehand_migrations'"

/**
 * Creates the file with its folder and tables, or brings them up to date. Returns a connection for
 * reading.
 */
export async function migrateFile({ file, packs, time }: SqliteOptions): Promise<Connection> {
  if (file === '' || file.startsWith(':memory:')) {
    throw new ToolError(
      'TOOL_CONFIGURATION_ERROR',
      'The SQLite stores need a file; for memory take the memory stores.',
    )
  }
  const known = knownMigrations(packs, 'sqlite')
  const upToDate = time === 'shifted' ? undefined : await openUpToDate(file, known)
  if (upToDate !== undefined) return upToDate
  mkdirSync(dirname(file), { recursive: true })
  const connection = openConnection(file, time, 'write')
  try {
    await retryWhileBusy(() =>
      connection.database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL'),
    )
    // Of two processes that open one file, the second finds nothing to do.
    await retryWhileBusy(() => connection.database.exec('BEGIN IMMEDIATE'))
    migrate(connection, known, time ?? 'database')
    connection.database.exec('COMMIT')
  } finally {
    connection.close()
  }
  return openConnection(file, time, 'read')
}

/**
 * Opens for reading only: usually the file is up to date, and there is no need to wait for a
 * writer. A file that cannot be read like this is not rejected here: a process that died while
 * writing may have left a journal that only a writer can roll back.
 */
async function openUpToDate(
  file: string,
  known: ReturnType<typeof knownMigrations>,
): Promise<Connection | undefined> {
  if (!existsSync(file)) return undefined
  const connection = openConnection(file, 'database', 'read')
  try {
    const isUpToDate = await retryWhileBusy(() => {
      const [table] = connection.database.prepare(SELECT_TABLE).all()
      const [journal] = connection.database.prepare('pragma journal_mode').all()
      if (table === undefined || journal?.journal_mode !== 'wal') return false
      return (
        missingMigrations(known, connection.prepare(SELECT_MIGRATIONS).all() as AppliedMigration[])
          .length === 0
      )
    })
    if (isUpToDate) return connection
  } catch (thrown) {
    if (!isDriverError(thrown)) {
      connection.close()
      throw thrown
    }
  }
  connection.close()
  return undefined
}

function migrate(
  { database, prepare }: Connection,
  known: ReturnType<typeof knownMigrations>,
  time: 'database' | 'shifted',
): void {
  const translate = translator('sqlite', time)
  if (time === 'shifted') {
    database.exec(
      'create table if not exists test_clock (offset_ms bigint not null, stopped_at bigint)',
    )
    database.exec(
      'insert into test_clock (offset_ms) select 0 where not exists (select 1 from test_clock)',
    )
  }
  database.exec(CREATE_MIGRATIONS)
  const applied = prepare(SELECT_MIGRATIONS).all() as AppliedMigration[]
  for (const { owner, name, statements } of missingMigrations(known, applied)) {
    for (const statement of statements) database.exec(translate(statement))
    prepare(INSERT_MIGRATION).run(owner, name)
  }
}

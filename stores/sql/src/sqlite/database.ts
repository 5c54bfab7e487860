import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { ToolError } from '@surehand/core'
import type { Row, SqlValue } from '@surehand/core/internal'
import { recordSealer } from '../audit/record-seal.ts'
import type { Database } from '../database.ts'
import { localRequest } from '../local-effect.ts'
import {
  type AppliedMigration,
  CREATE_MIGRATIONS,
  INSERT_MIGRATION,
  knownMigrations,
  missingMigrations,
  SELECT_MIGRATIONS,
} from '../migrate.ts'
import type { SqliteOptions, StoredPack } from '../options.ts'
import { translator } from '../portable.ts'
import { isRead, notARead } from '../statement-kind.ts'
import type { Step } from '../step.ts'
import { storageError } from '../storage-error.ts'
import { type Connection, openConnection } from './connection.ts'
import { createSql } from './create-sql.ts'
import { FileGuard, replacedError } from './file-guard.ts'
import { startWriter } from './group-commit/writer.ts'
import { workJobs } from './jobs.ts'
import { retryWhileBusy } from './retry-while-busy.ts'
import { isDriverError } from './serialized-error.ts'

/** For tests of the dialect itself. */
export type TestHooks = { readonly stepModules?: readonly string[] }

/**
 * Opens the file, creates its tables and starts the writer. Several processes may do so at once.
 */
export async function openSqliteDatabase(
  options: SqliteOptions,
  inside: TestHooks = {},
): Promise<Database> {
  const wakes = new Set<() => void>()
  const packs = options.packs ?? []
  const runsIn = options.writer ?? 'thread'
  // The calling thread has loaded these tools already. Importing their module as well would double
  // the start time of a short-lived command.
  const loaded = runsIn === 'calling-thread' ? packs.filter(hasTransactions) : []
  const sealer = recordSealer(options.sealKey)
  const guard = new FileGuard(options.file, 'without log')
  const starting = startWriter({
    guard,
    file: options.file,
    runsIn,
    groupCommit: options.groupCommit ?? 'on',
    time: options.time ?? 'database',
    transactionModules: packs.flatMap((pack) =>
      pack.data === undefined || loaded.includes(pack) ? [] : [pack.data.transactions],
    ),
    tools: loaded.flatMap(({ tools = [] }) => tools),
    stepModules: inside.stepModules ?? [],
    onEnqueued: () => {
      for (const wake of wakes) wake()
    },
  })
  const [migrated, started] = await Promise.allSettled([migrateFile(options), starting])
  if (started.status === 'rejected') {
    if (migrated.status === 'fulfilled') migrated.value.close()
    throw started.reason
  }
  const writer = started.value
  if (migrated.status === 'rejected') {
    await writer.close()
    throw storageError(migrated.reason)
  }
  // From here on the file is known.
  guard.isReplaced()
  const reader = createReader(migrated.value, guard)

  const step: Database['step'] = (asked, args) => {
    if (asked.mode === 'read') return reader.step(asked, args)
    // erased: the writer finds the same step by its name and returns its result
    return writer.step(asked.name, args, asked.mode === 'lazy' ? 'NORMAL' : 'FULL') as ReturnType<
      typeof asked.run
    >
  }
  function onEnqueued(wake: () => void): () => void {
    wakes.add(wake)
    return () => wakes.delete(wake)
  }
  const stops = new Set<() => Promise<void>>()
  let closing: Promise<void> | undefined

  async function close(): Promise<void> {
    await Promise.all([...stops].map((stop) => stop()))
    // The writer is closed last: the last connection removes the write-ahead log, which a reader
    // cannot do.
    reader.close()
    await writer.close()
  }

  return {
    dialect: 'sqlite',
    step,
    transact: (run) =>
      writer.local(
        localRequest(run, {
          secretKeys: run.claim.call.isSecret ? (options.secretKeys ?? []) : [],
          sealer,
        }),
        run.timeoutMs,
      ),
    query: reader.query,
    work(worker) {
      const stopJobs = workJobs({ step, onEnqueued }, worker)
      const stop = () => stopJobs().finally(() => stops.delete(stop))
      stops.add(stop)
      return stop
    },
    close: () => (closing ??= close()),
  }
}

function hasTransactions({ tools = [] }: StoredPack): boolean {
  return tools.some(({ work }) => work.kind === 'transaction')
}

/** Reads on the main thread without delay, so that every acknowledged write is visible. */
type Reader = {
  readonly step: <A, R>(step: Step<A, R>, args: A) => Promise<R>
  readonly query: (text: string, values: readonly SqlValue[]) => Promise<readonly Row[]>
  readonly close: () => void
}

function createReader(connection: Connection, guard: FileGuard): Reader {
  const { database, prepare } = connection
  const sql = createSql(connection, () => undefined)
  let readers = 0

  /**
   * Gives several statements one snapshot. Concurrent readers share it, because no write is
   * acknowledged in between.
   */
  async function inSnapshot<T>(work: () => Promise<T>): Promise<T> {
    if (readers === 0) database.exec('BEGIN')
    readers++
    try {
      return await work()
    } finally {
      readers--
      if (readers === 0 && database.isTransaction) database.exec('COMMIT')
    }
  }

  async function withStorageErrors<T>(work: () => T | Promise<T>): Promise<T> {
    if (guard.wasReplaced) throw replacedError('none')
    try {
      return await retryWhileBusy(work)
    } catch (thrown) {
      throw storageError(thrown)
    }
  }

  return {
    step: (step, args) =>
      withStorageErrors(() =>
        step.statements === 'one' ? step.run(sql, args) : inSnapshot(() => step.run(sql, args)),
      ),
    query(text, values) {
      return withStorageErrors(() => {
        // The connection cannot write, but it could begin a transaction or change its settings.
        if (!isRead(text)) throw notARead()
        return prepare(text).all(...values) as Row[]
      })
    },
    close: () => connection.close(),
  }
}

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

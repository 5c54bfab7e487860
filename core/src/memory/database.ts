import type { DatabaseSync } from 'node:sqlite'
import { hashJson } from '../call/canonical.ts'
import { ToolError } from '../call/tool-error.ts'
import type { Row, SqlValue, Tx } from '../define/transaction.ts'
import type { LocalRun } from '../ports/calls.ts'
import type { Clock } from '../ports/clock.ts'

/** The result of a transaction, serialized before the commit, because serializing may fail. */
export type Applied = { readonly result: unknown; readonly json: string; readonly hash: string }

/** Pack data in memory, for transaction functions. */
export type Database = {
  /** Reads after the transactions before it, so that it sees committed data only. */
  readonly query: (sql: string, parameters: readonly SqlValue[]) => Promise<readonly Row[]>
  /** One at a time, like the writer of a database file. */
  readonly exclusively: <T>(
    work: (apply: (run: LocalRun, clock: Clock) => Promise<Applied>) => Promise<T>,
  ) => Promise<T>
}

/** The database is opened when it is first used: most runtimes in memory have no tables. */
export function openDatabase(schema: readonly string[]): Database {
  let database: DatabaseSync | undefined
  let last: Promise<unknown> = Promise.resolve()

  function open(): DatabaseSync {
    if (database !== undefined) return database
    // Loaded on first use, so that core can be imported where node:sqlite does not exist.
    const sqlite = process.getBuiltinModule('node:sqlite')
    database = new sqlite.DatabaseSync(':memory:')
    for (const statement of schema)
      database.exec(statement.replaceAll('{serial}', 'integer primary key autoincrement'))
    return database
  }

  function runSerially<T>(work: () => T | Promise<T>): Promise<T> {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }

  return {
    query: (sql, parameters) => runSerially(() => read(open(), sql, parameters)),
    exclusively: (work) => runSerially(() => work((run, clock) => applyInside(open(), run, clock))),
  }
}

const READS = /^\s*(?:select|with|values)\b/i

function read(
  database: DatabaseSync,
  sql: string,
  parameters: readonly SqlValue[],
): readonly Row[] {
  // Both checks are needed: `query_only` allows BEGIN and PRAGMA, and the first word allows WITH …
  // INSERT.
  if (!READS.test(sql))
    throw new ToolError(
      'TOOL_CONFIGURATION_ERROR',
      'A query only reads: SELECT, WITH … SELECT or VALUES.',
    )
  database.exec('PRAGMA query_only = 1')
  try {
    return database.prepare(sql).all(...parameters) as Row[]
  } finally {
    database.exec('PRAGMA query_only = 0')
  }
}

async function applyInside(database: DatabaseSync, run: LocalRun, clock: Clock): Promise<Applied> {
  database.exec('BEGIN IMMEDIATE')
  const state: TxState = { isOpen: true, broken: undefined }
  try {
    const work = run.apply(createTx(database, state), run.args as never)
    const answered = await withTimeout(run, clock, work)
    if (state.broken !== undefined) throw state.broken.on
    const applied = serialize(run.name, answered)
    database.exec('COMMIT')
    return applied
  } catch (thrown) {
    // Some errors end the transaction themselves.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw thrown
  } finally {
    state.isOpen = false
  }
}

// Before the commit: a transaction whose result cannot be stored must be rolled back.
function serialize(name: string, answered: unknown): Applied {
  const result = answered ?? null
  try {
    return { result: answered, hash: hashJson(result), json: JSON.stringify(result) }
  } catch (cause) {
    const reason = cause instanceof Error ? ` ${cause.message}` : ''
    throw new ToolError(
      'TOOL_INVALID_OUTPUT',
      `The result of ${name} is not JSON, so it was rolled back.${reason}`,
      { effect: 'none', cause },
    )
  }
}

function withTimeout(run: LocalRun, clock: Clock, work: Promise<unknown>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const stop = clock.after(run.timeoutMs, () =>
      reject(
        new ToolError(
          'TOOL_EXECUTION_TIMEOUT',
          `${run.name} did not finish within ${run.timeoutMs} ms and was rolled back.`,
          {
            effect: 'none',
          },
        ),
      ),
    )
    work.then(resolve, reject).finally(stop)
  })
}

/** `broken`: a statement failed, so the transaction is rolled back even if its function goes on. */
type TxState = { isOpen: boolean; broken: { readonly on: unknown } | undefined }

function createTx(database: DatabaseSync, state: TxState): Tx {
  async function use<T>(
    sql: string,
    work: (statement: ReturnType<DatabaseSync['prepare']>) => T,
  ): Promise<T> {
    // A function that runs on after its timeout must not write into the next transaction.
    if (!state.isOpen) throw new ToolError('TOOL_CANCELLED', 'The transaction has ended.')
    try {
      return work(database.prepare(sql))
    } catch (thrown) {
      state.broken ??= { on: thrown }
      throw thrown
    }
  }
  return {
    get: (sql, ...parameters) =>
      quiet(use(sql, (statement) => statement.get(...parameters) as Row | undefined)),
    all: (sql, ...parameters) =>
      quiet(use(sql, (statement) => statement.all(...parameters) as Row[])),
    run: (sql, ...parameters) =>
      quiet(use(sql, (statement) => ({ changes: Number(statement.run(...parameters).changes) }))),
  }
}

// A failed statement that the function did not await must not end the process as an unhandled
// rejection: the end of the transaction reports it.
function quiet<T>(statement: Promise<T>): Promise<T> {
  statement.catch(() => undefined)
  return statement
}

import { DatabaseSync } from 'node:sqlite'
import { type Clock, type LocalRun, type Row, type SqlValue, ToolError, type Tx } from '@surehand/core'

/** Pack data in memory, for transaction functions. */
export type Database = {
  readonly all: (sql: string, parameters: readonly SqlValue[]) => readonly Row[]
  /** One at a time, like the writer of a database file. */
  readonly exclusively: <T>(work: (apply: (run: LocalRun, clock: Clock) => Promise<unknown>) => Promise<T>) => Promise<T>
}

/** Opened when it is first needed: most runtimes in memory have no tables. */
export function openDatabase(schema: readonly string[]): Database {
  let database: DatabaseSync | undefined
  let last: Promise<unknown> = Promise.resolve()

  function open(): DatabaseSync {
    if (database !== undefined) return database
    database = new DatabaseSync(':memory:')
    for (const statement of schema) database.exec(statement)
    return database
  }

  return {
    all: (sql, parameters) =>
      open()
        .prepare(sql)
        .all(...parameters) as Row[],
    exclusively(work) {
      const turn = last.then(() => work((run, clock) => applyInside(open(), run, clock)))
      last = turn.catch(() => undefined)
      return turn
    },
  }
}

async function applyInside(database: DatabaseSync, run: LocalRun, clock: Clock): Promise<unknown> {
  database.exec('BEGIN IMMEDIATE')
  const open = { is: true }
  try {
    const result = await withinTime(run, clock, run.apply(txOf(database, open), run.args as never))
    database.exec('COMMIT')
    return result
  } catch (thrown) {
    database.exec('ROLLBACK')
    throw thrown
  } finally {
    open.is = false
  }
}

function withinTime(run: LocalRun, clock: Clock, work: Promise<unknown>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const stop = clock.after(run.timeoutMs, () =>
      reject(
        new ToolError('TOOL_EXECUTION_TIMEOUT', `${run.name} did not finish within ${run.timeoutMs} ms and was rolled back.`, {
          effect: 'none',
        }),
      ),
    )
    work.then(resolve, reject).finally(stop)
  })
}

function txOf(database: DatabaseSync, open: { readonly is: boolean }): Tx {
  function prepare(sql: string): ReturnType<DatabaseSync['prepare']> {
    // a function that outlived its time must not write into the next one's transaction
    if (!open.is) throw new ToolError('TOOL_CANCELLED', 'The transaction has ended.')
    return database.prepare(sql)
  }
  return {
    get: async (sql, ...parameters) => prepare(sql).get(...parameters) as Row | undefined,
    all: async (sql, ...parameters) => prepare(sql).all(...parameters) as Row[],
    run: async (sql, ...parameters) => ({ changes: Number(prepare(sql).run(...parameters).changes) }),
  }
}

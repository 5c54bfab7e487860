import pg from 'pg'
import { storageError } from '../storage-error.ts'
import { endedError } from './tx-on.ts'

/** Statements that are sent in one write, in the order in which they are added. */
export type Batch = {
  /** Whether it is not sent yet, and can take this statement. */
  readonly takes: (statement: pg.QueryConfig) => boolean
  /** Rejects with `endedError` where it was not executed: not sent, or skipped after one that failed. */
  readonly add: (statement: pg.QueryConfig) => Promise<pg.QueryResult>
}

/**
 * A batch of the statements that are added in this turn of the event loop. It has one Sync, at its
 * end: after a statement that fails, even if it is BEGIN, the server skips the others. With a Sync
 * after each, as the driver sends them, they would be executed without their transaction, and the
 * server would send each result by itself. It is not sent if it is no longer wanted then.
 */
export function openBatch(client: pg.ClientBase, isWanted: () => boolean): Batch {
  const queries: DriverQuery[] = []
  let isOpen = true
  process.nextTick(() => {
    isOpen = false
    if (isWanted()) client.query(batchOf(queries))
    else for (const { callback } of queries) callback?.(endedError())
  })
  return {
    // The driver may fail to write an object as text; then its statement would be missing.
    takes: ({ values = [] }) =>
      isOpen && values.every((value) => typeof value !== 'object' || value === null),
    add: (statement) =>
      new Promise((resolve, reject) => {
        queries.push(toQuery(statement, resolve, reject))
      }),
  }
}

/** The driver's connection, as far as it is used here. */
type Connection = {
  readonly stream: { readonly cork: () => void; readonly uncork: () => void }
  readonly sync: () => void
  /** Statements that are being prepared: their names, and their texts. */
  readonly submittedNamedStatements: Record<string, string>
}

type Handle = (message: unknown, connection: Connection) => void

/** How the driver's client sends a query, and what it calls when the server answers. */
type DriverQuery = {
  name: string | undefined
  text: string
  readonly callback?: (error?: unknown) => void
  readonly _result: { _types: unknown }
  readonly submit: (connection: Connection) => void
  readonly handleRowDescription: Handle
  readonly handleDataRow: Handle
  readonly handleCommandComplete: Handle
  readonly handleEmptyQuery: (connection: Connection) => void
  readonly handleCopyInResponse: (connection: Connection) => void
  readonly handleCopyData: Handle
  readonly handleError: Handle
  readonly handleReadyForQuery: (connection: Connection) => void
}

// erased: the driver's types declare its constructor and `submit` only. The driver's version is
// pinned, and in its pipeline mode it accepts nothing but its own queries.
function newQuery(text: string, values?: unknown[]): DriverQuery & pg.Query {
  return new pg.Query(text, values) as unknown as DriverQuery & pg.Query
}

function toQuery(
  { name, text, values }: pg.QueryConfig,
  resolve: (result: pg.QueryResult) => void,
  reject: (error: unknown) => void,
): DriverQuery {
  return Object.assign(newQuery(text, values), {
    name,
    queryMode: 'extended',
    callback: (error: unknown, result: pg.QueryResult) =>
      error ? reject(storageError(error)) : resolve(result),
  })
}

/** A query of the driver that hands what the server answers to several, one after another. */
function batchOf(queries: readonly DriverQuery[]): pg.Query {
  const batch = newQuery('')
  let answered = 0
  // By these the client notes which statement it has prepared, while it is answered.
  Object.defineProperty(batch, 'name', { get: () => queries[answered]?.name })
  Object.defineProperty(batch, 'text', { get: () => queries[answered]?.text })

  function settle(connection: Connection): void {
    for (const query of queries.slice(0, answered)) query.handleReadyForQuery(connection)
  }

  function fail(error: unknown, connection: Connection): void {
    const [failed, ...skipped] = queries.slice(answered)
    settle(connection)
    failed?.handleError(error, connection)
    for (const query of skipped) {
      // The server has not prepared it.
      if (query.name !== undefined) delete connection.submittedNamedStatements[query.name]
      query.handleError(endedError(), connection)
    }
  }

  const handlers: Omit<DriverQuery, 'name' | 'text' | '_result'> = {
    submit(connection) {
      const withoutSync = Object.create(connection, { sync: { value: () => undefined } })
      connection.stream.cork()
      for (const query of queries) {
        // How values are read, which the client has set.
        query._result._types = batch._result._types
        query.submit(withoutSync)
      }
      connection.sync()
      connection.stream.uncork()
    },
    handleRowDescription: (...given) => queries[answered]?.handleRowDescription(...given),
    handleDataRow: (...given) => queries[answered]?.handleDataRow(...given),
    handleCopyInResponse: (...given) => queries[answered]?.handleCopyInResponse(...given),
    handleCopyData: (...given) => queries[answered]?.handleCopyData(...given),
    handleCommandComplete: (...given) => queries[answered++]?.handleCommandComplete(...given),
    handleEmptyQuery: (...given) => queries[answered++]?.handleEmptyQuery(...given),
    handleReadyForQuery(connection) {
      settle(connection)
      // Ends the client's timer.
      batch.callback?.()
    },
    handleError(error, connection) {
      fail(error, connection)
      batch.callback?.(error)
    },
  }
  return Object.assign(batch, handlers)
}

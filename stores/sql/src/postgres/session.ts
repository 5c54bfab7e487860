import type pg from 'pg'
import { storageError, undoneError } from '../storage-error.ts'

/** Sends one statement; errors are thrown as our own. */
export type Send = (statement: pg.QueryConfig) => Promise<pg.QueryResult>

/**
 * Lends a session for some work. A session that is lost or still inside a transaction is never lent
 * again.
 */
export async function onSession<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await connect(pool)
  try {
    return await work(client)
  } finally {
    giveBack(client)
  }
}

export async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (cause) {
    throw undoneError(cause)
  }
}

export function giveBack(client: pg.PoolClient): void {
  client.release(client.getTransactionStatus() !== 'I')
}

export async function send(
  client: pg.ClientBase,
  statement: pg.QueryConfig,
): Promise<pg.QueryResult> {
  try {
    return await client.query(statement)
  } catch (cause) {
    throw storageError(cause)
  }
}

/**
 * Begins without waiting for the answer: BEGIN and the first statement travel together. Nothing
 * further is sent before BEGIN is known to have worked, else a whole step could run without its
 * transaction.
 */
export function begin(
  client: pg.ClientBase,
  how: 'begin' | 'begin read only' | `begin; ${string}`,
  inOurWords = storageError,
): Send {
  inOneWrite(client)
  const begun = client.query(how)
  begun.catch(() => undefined)
  return async (statement) => {
    const sent = send(client, statement)
    sent.catch(() => undefined)
    await begun.catch((cause: unknown) => {
      throw inOurWords(cause)
    })
    return sent
  }
}

/** Writes of one turn of the event loop are sent together: each write wakes the server. */
export function inOneWrite(client: pg.ClientBase): void {
  // erased: every client has it, but only its own class declares it
  const { stream } = (client as pg.Client).connection
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/**
 * The result of a COMMIT: a session that failed before answers ROLLBACK to it, which is not an
 * error.
 */
export async function commit(client: pg.ClientBase): Promise<'committed' | 'rolled back'> {
  const { command } = await client.query('commit')
  return command === 'COMMIT' ? 'committed' : 'rolled back'
}

/**
 * Rolls back. A session that cannot even do this is lost, and the server rolls it back by itself.
 */
export async function rollBack(client: pg.ClientBase): Promise<void> {
  await client.query('rollback').catch(() => undefined)
}

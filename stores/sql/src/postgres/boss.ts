import type pg from 'pg'
import { PgBoss } from 'pg-boss'
import { lockNumber } from './lock-number.ts'
import type { WakeUp } from './sql-on.ts'

/** The job queue: pg-boss in a schema of its own, one queue for all tenants. */
export type JobPlace = { readonly schema: string }

export const QUEUE = 'surehand'

const RETRY_SECONDS = 5
const MOST_TRIES = 10
const LOCK_MS = 600_000

const QUEUE_OPTIONS = {
  // A job that throws is retried; after the last attempt the sweep still finds its call.
  retryLimit: MOST_TRIES - 1,
  retryDelay: RETRY_SECONDS,
  // A node that was killed is detected by its missing heartbeat.
  heartbeatSeconds: 10,
  // A call may take long; the heartbeat shows whether its node is alive.
  expireInSeconds: 23 * 3_600,
  // A completed wake-up is of no further use.
  deleteAfterSeconds: 600,
  notify: true,
}

/**
 * A queue schema per store schema: two Surehand installations in one database must not take each
 * other's jobs.
 */
export async function jobPlace(client: pg.ClientBase): Promise<JobPlace> {
  const { rows } = await client.query('select current_schema() as schema')
  const schema = String(rows[0]?.schema)
  return { schema: schema === 'public' ? 'pgboss' : `${schema}_pgboss` }
}

// pg-boss without background work: it only provides statements.
const NO_TIMERS = {
  now: () => 0,
  setTimeout: () => undefined,
  clearTimeout: () => undefined,
  setInterval: () => undefined,
  clearInterval: () => undefined,
}

function quietBoss(client: pg.ClientBase, { schema }: JobPlace, tables: 'make' | 'expect'): PgBoss {
  const executeSql = async (text: string, values?: unknown[]) => {
    try {
      return await client.query(text, values)
    } catch (thrown) {
      // It sends whole transactions as one text: when two nodes create the tables, one of them
      // fails inside of it.
      await client.query('rollback').catch(() => undefined)
      throw thrown
    }
  }
  const boss = new PgBoss({
    db: { executeSql },
    schema,
    migrate: tables === 'make',
    clock: NO_TIMERS,
    supervise: false,
    schedule: false,
  })
  boss.on('error', () => undefined)
  return boss
}

/**
 * The statement that enqueues a job, taken from pg-boss itself; its tables are created if they do
 * not exist.
 */
export async function prepareJobs(client: pg.ClientBase, place: JobPlace): Promise<WakeUp> {
  const insert = await insertText(client, place).catch(async () => {
    await makeTables(client, place)
    return insertText(client, place)
  })
  const text = insert.replaceAll('$1', '?')
  return ({ tenant, callId }, delayMs) => ({
    text,
    values: [JSON.stringify([{ data: { tenant, callId }, startAfter: String(delayMs / 1_000) }])],
  })
}

// Read once: sending through pg-boss would need a running instance, also on a node that never works
// on jobs.
async function insertText(client: pg.ClientBase, place: JobPlace): Promise<string> {
  const boss = await quietBoss(client, place, 'expect').start()
  const texts: string[] = []
  const executeSql = async (text: string) => {
    texts.push(text)
    return { rows: [{ id: '' }] }
  }
  await boss.send(QUEUE, {}, { db: { executeSql } })
  const [text, ...more] = texts
  if (text === undefined || more.length > 0 || text.includes('$2'))
    throw new Error('pg-boss no longer sends a job by one statement.')
  return text
}

// Two pg-boss instances conflict when they create the schema at the same time.
async function makeTables(client: pg.ClientBase, place: JobPlace): Promise<void> {
  await client.query(`set lock_timeout = ${LOCK_MS}`)
  const lock = {
    text: 'select pg_advisory_lock($1)',
    values: [lockNumber('surehand jobs')],
    query_timeout: LOCK_MS,
  }
  await client.query(lock as pg.QueryConfig)
  try {
    const boss = await quietBoss(client, place, 'make').start()
    await boss.createQueue(QUEUE, QUEUE_OPTIONS)
    await boss.updateQueue(QUEUE, QUEUE_OPTIONS)
  } finally {
    await client.query('select pg_advisory_unlock_all()')
    await client.query('reset lock_timeout')
  }
}

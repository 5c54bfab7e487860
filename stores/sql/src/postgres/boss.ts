import type pg from 'pg'
import { PgBoss } from 'pg-boss'
import { lockNumber } from './lock-number.ts'
import type { WakeUp } from './sql-on.ts'

/** Where the jobs are: pg-boss in a schema of its own, one list for all tenants. */
export type JobPlace = { readonly schema: string }

export const QUEUE = 'surehand'

const RETRY_SECONDS = 5
const MOST_TRIES = 10
const LOCK_MS = 600_000

const QUEUE_OPTIONS = {
  // a job that throws comes again; after the last try the sweep still finds its call
  retryLimit: MOST_TRIES - 1,
  retryDelay: RETRY_SECONDS,
  // a node that was killed is noticed by its silence
  heartbeatSeconds: 10,
  // a call may take long; whether its node lives is told by the heartbeat
  expireInSeconds: 23 * 3_600,
  // a wake-up that was heard is worth nothing
  deleteAfterSeconds: 600,
  notify: true,
}

/** A schema for each: two Surehands in one database, in schemas of their own, must not take each other's jobs. */
export async function jobPlace(client: pg.ClientBase): Promise<JobPlace> {
  const { rows } = await client.query('select current_schema() as schema')
  const schema = String(rows[0]?.schema)
  return { schema: schema === 'public' ? 'pgboss' : `${schema}_pgboss` }
}

// pg-boss without a pulse: it is asked for statements and does nothing by itself
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
      // it sends whole transactions as one text: of two nodes that make the tables one fails inside of it
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

/** The statement that puts a job on the list, from pg-boss itself; its tables are made if they are not there. */
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

// asked for once: sending through pg-boss would need one that runs, also on a node that never works
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

// pg-boss lets two of its kind run into each other when there is no schema yet
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

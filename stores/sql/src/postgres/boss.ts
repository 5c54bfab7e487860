import { setTimeout as pause } from 'node:timers/promises'
import type { Job, JobStore } from '@surehand/core/ports'
import type pg from 'pg'
import { type Job as BossJob, type JobResult, PgBoss } from 'pg-boss'
import { lockNumber } from './lock-number.ts'
import { SETTINGS, withSettings } from './pools.ts'
import type { WakeUp } from './sql-on.ts'

/** The job queue: pg-boss in a schema of its own, one queue for all tenants. */
export type JobPlace = { readonly schema: string }

const QUEUE = 'surehand'

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

// Four loops of eight jobs. A batch is fetched when the previous one has ended, so several loops
// run side by side.
const BATCHES = 4
const BATCH_SIZE = 8
const RESTART_MS = 1_000

/** Passes jobs to a worker, through a pg-boss instance of its own, until stopped. */
export function jobWorker(url: string, { schema }: JobPlace): JobStore['work'] {
  const create = () => {
    const boss = new PgBoss({
      connectionString: withSettings(url, SETTINGS),
      application_name: 'surehand-jobs',
      max: BATCHES + 1,
      schema,
      schedule: false,
      useListenNotify: true,
      // Heartbeat 10 s, checked every 3 s, retried after 5 s: another node has a killed node's jobs
      // within 20 s.
      superviseIntervalSeconds: 3,
      monitorIntervalSeconds: 3,
      maintenanceIntervalSeconds: 600,
    })
    // A database that is unavailable for a moment must not end the process; pg-boss retries by
    // itself.
    boss.on('error', () => undefined)
    return boss
  }

  return (worker) => {
    const stopping = new AbortController()
    const running = begin(create, worker, stopping.signal)
    return async () => {
      stopping.abort()
      const boss = await running
      if (boss === undefined) return
      await boss.offWork(QUEUE, { wait: true })
      // The running jobs have ended; an unavailable database cannot be informed.
      await boss.stop({ graceful: false }).catch(() => undefined)
    }
  }
}

type Worker = (job: Job) => Promise<void>

/** A node may start before its database does. */
async function begin(
  create: () => PgBoss,
  worker: Worker,
  signal: AbortSignal,
): Promise<PgBoss | undefined> {
  while (!signal.aborted) {
    const boss = create()
    try {
      await boss.start()
      await boss.work<Job, unknown, typeof WORK>(QUEUE, WORK, (jobs) =>
        Promise.all(jobs.map((job) => attempt(job, worker))),
      )
      return boss
    } catch {
      await boss.stop({ graceful: false }).catch(() => undefined)
      await pause(RESTART_MS, undefined, { signal }).catch(() => undefined)
    }
  }
  return undefined
}

const WORK = {
  batchSize: BATCH_SIZE,
  localConcurrency: BATCHES,
  burstWhenBatchFull: true,
  perJobResults: true,
  // A job that was delayed, or failed before, arrives without a notification.
  pollingIntervalSeconds: 1,
  notifyPollingIntervalSeconds: 1,
  heartbeatRefreshSeconds: 3,
} as const

// Each job is settled separately: one that throws does not affect the others of its batch.
async function attempt({ id, data }: BossJob<Job>, worker: Worker): Promise<JobResult> {
  try {
    await worker({ tenant: data.tenant, callId: data.callId })
    return { id, status: 'completed' }
  } catch {
    // The worker reports its own errors.
    return { id, status: 'failed' }
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import type { Job, JobStore } from '@surehand/core/ports'
import { type Job as BossJob, type JobResult, PgBoss } from 'pg-boss'
import { type JobPlace, QUEUE } from './boss.ts'
import { SETTINGS, withSettings } from './pools.ts'

// Four times eight jobs at once. A batch is fetched when the one before has ended, so several stand beside each other.
const BATCHES = 4
const BATCH_SIZE = 8
const RESTART_MS = 1_000

/** Hands jobs to a worker, by a pg-boss of its own, until stopped. */
export function jobWorker(url: string, { schema }: JobPlace): JobStore['work'] {
  const create = () => {
    const boss = new PgBoss({
      connectionString: withSettings(url, SETTINGS),
      application_name: 'surehand-jobs',
      max: BATCHES + 1,
      schema,
      schedule: false,
      useListenNotify: true,
      // heartbeat 10 s, looked at every 3 s, tried again after 5 s: a killed node's jobs are with another within 20 s
      superviseIntervalSeconds: 3,
      monitorIntervalSeconds: 3,
      maintenanceIntervalSeconds: 600,
    })
    // a database that is away for a moment is no reason to end the process; pg-boss tries again by itself
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
      // what ran has ended; a database that is gone can't be told so
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
  // a job that was delayed, or failed before, comes with no notice
  pollingIntervalSeconds: 1,
  notifyPollingIntervalSeconds: 1,
  heartbeatRefreshSeconds: 3,
} as const

// each for itself: one that throws takes no other of its batch with it
async function attempt({ id, data }: BossJob<Job>, worker: Worker): Promise<JobResult> {
  try {
    await worker({ tenant: data.tenant, callId: data.callId })
    return { id, status: 'completed' }
  } catch {
    // the worker tells its own troubles
    return { id, status: 'failed' }
  }
}

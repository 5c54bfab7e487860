import { setTimeout as pause } from 'node:timers/promises'
import type { Job, JobStore } from '@surehand/core/ports'
import { type Job as BossJob, type JobResult, PgBoss } from 'pg-boss'
import { type JobPlace, QUEUE } from './boss.ts'
import { SETTINGS, withSettings } from './pools.ts'

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

import type { Job, JobStore } from '@surehand/core/ports'
import type { Database } from './database.ts'
import { defineStep } from './step.ts'

/** Wake-ups: a table on SQLite, pg-boss on PostgreSQL. */
export function sqlJobs(database: Database): JobStore {
  return {
    enqueue: (job, delayMs) => database.step(enqueueJob, { job, delayMs }),
    work(worker) {
      const stopJobs = database.work(worker)
      const stopWatch = watchApproved(database, worker)
      return async () => {
        await Promise.all([stopJobs(), stopWatch()])
      }
    },
  }
}

export const enqueueJob = defineStep(
  'jobs.enqueue',
  { mode: 'durable', statements: 'one' },
  (sql, { job, delayMs }: { readonly job: Job; readonly delayMs: number }) =>
    sql.enqueue(job, delayMs),
)

const WATCH_EVERY_MS = 1_000
const AT_ONCE = 16

// A wake-up is delivered at once, so one that has not come by now was in a hand that died, or waits
// behind many others.
const UNHEARD = `select tenant, call_id from calls where state = 'queued' and approval_id is not null
  and updated_at <= (select {now}) - 1500 order by updated_at limit ?`

export const unheardApprovals = defineStep(
  'jobs.unheardApprovals',
  { mode: 'read', statements: 'one' },
  async (sql, { most }: { readonly most: number }): Promise<readonly Job[]> =>
    (await sql.all(UNHEARD, most)).map(({ tenant, call_id }) => ({
      tenant: String(tenant),
      callId: String(call_id),
    })),
)

/**
 * Continues approved calls whose wake-up was lost with its worker: a person who has just approved
 * does not wait until the queue notices that. The claim lets one process through, as always.
 */
function watchApproved(
  database: Database,
  worker: Parameters<JobStore['work']>[0],
): () => Promise<void> {
  const running = new Map<string, Promise<void>>()

  async function look(): Promise<void> {
    const found = await database.step(unheardApprovals, { most: AT_ONCE })
    for (const job of found) {
      if (running.has(job.callId) || running.size >= AT_ONCE) continue
      const run = worker(job)
        // The worker reports its own errors, and the queue or the next look tries again.
        .catch(() => undefined)
        .finally(() => running.delete(job.callId))
      running.set(job.callId, run)
    }
  }

  // While the database is unavailable there is nothing to do.
  const timer = setInterval(() => void look().catch(() => undefined), WATCH_EVERY_MS)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await Promise.all(running.values())
  }
}

import type { Job, JobStore } from '@surehand/core/ports'
import type { Database } from './database.ts'
import { defineStep } from './step.ts'

/** Wake-ups: a table on SQLite, pg-boss on PostgreSQL. */
export function sqlJobs(database: Database): JobStore {
  return {
    enqueue: (job, delayMs) => database.step(enqueueJob, { job, delayMs }),
    work: database.work,
  }
}

export const enqueueJob = defineStep(
  'jobs.enqueue',
  { mode: 'durable', statements: 'one' },
  (sql, { job, delayMs }: { readonly job: Job; readonly delayMs: number }) =>
    sql.enqueue(job, delayMs),
)

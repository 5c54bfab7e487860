import { setImmediate } from 'node:timers/promises'
import { type Job, type JobStore, nextPart } from '@surehand/core/ports'
import type { Database } from '../database.ts'
import { defineStep, type Step } from '../step.ts'

/**
 * A job that this process holds while the lease is valid. Every lease counts an attempt, so the
 * count identifies the lease.
 */
type LeasedJob = { readonly number: number; readonly tries: number; readonly job: Job }
export type Lease = Pick<LeasedJob, 'number' | 'tries'>

const MAX_TRIES = 10

const areJobsDue = defineStep(
  'sqlite.areJobsDue',
  { mode: 'read', statements: 'one' },
  async (sql, _: null): Promise<boolean> => {
    return (await sql.get('select 1 as due from jobs where run_at <= {now} limit 1')) !== undefined
  },
)

type LeaseRequest = {
  readonly most: number
  readonly leaseMs: number
  readonly running: readonly number[]
}

// A lease moves the job's time into the future, so that it is not due for any process until then.
const LEASE = `update jobs set tries = tries + 1, run_at = {now} + ?, lease_until = {now} + ?
  where number in (select number from jobs where run_at <= {now} and number not in (select value from json_each(?)) order by run_at limit ?)
  returning number, tenant, call_id, tries`

const leaseJobs = defineStep(
  'sqlite.leaseJobs',
  { mode: 'lazy', statements: 'many' },
  async (sql, { most, leaseMs, running }: LeaseRequest): Promise<readonly LeasedJob[]> => {
    // The last holder died while it worked on them; the sweep still finds the call.
    await sql.run(
      'delete from jobs where run_at <= {now} and tries >= ? and number not in (select value from json_each(?))',
      MAX_TRIES,
      JSON.stringify(running),
    )
    const rows = await sql.all(LEASE, leaseMs, leaseMs, JSON.stringify(running), most)
    return rows.map(({ number, tenant, call_id, tries }) => ({
      number: Number(number),
      tries: Number(tries),
      job: { tenant: String(tenant), callId: String(call_id) },
    }))
  },
)

const renewJobs = defineStep(
  'sqlite.renewJobs',
  { mode: 'lazy', statements: 'many' },
  async (
    sql,
    { leases, leaseMs }: { readonly leases: readonly Lease[]; readonly leaseMs: number },
  ): Promise<void> => {
    const text =
      'update jobs set run_at = {now} + ?, lease_until = {now} + ? where number = ? and tries = ?'
    for (const { number, tries } of leases) await sql.run(text, leaseMs, leaseMs, number, tries)
  },
)

const endJob = defineStep(
  'sqlite.endJob',
  { mode: 'lazy', statements: 'one' },
  async (sql, { number, tries }: Lease): Promise<void> => {
    await sql.run('delete from jobs where number = ? and tries = ?', number, tries)
  },
)

const retryJob = defineStep(
  'sqlite.retryJob',
  { mode: 'lazy', statements: 'one' },
  async (sql, { number, tries, delayMs }: Lease & { readonly delayMs: number }): Promise<void> => {
    await sql.run(
      'update jobs set run_at = {now} + ?, lease_until = null where number = ? and tries = ?',
      delayMs,
      number,
      tries,
    )
  },
)

export const JOB_STEPS: readonly Step<never, unknown>[] = [
  areJobsDue,
  leaseJobs,
  renewJobs,
  endJob,
  retryJob,
]

type JobSource = {
  readonly step: Database['step']
  /** Registers a callback for jobs that this process enqueues; the returned function removes it. */
  readonly onEnqueued: (wake: () => void) => () => void
}

type Worker = Parameters<JobStore['work']>[0]

const AT_ONCE = 16
const LEASE_MS = 30_000
const RETRY_MS = 5_000
// A process that another one approved for learns of it by looking: within a second, the answer too.
const POLL_MS = { least: 250, most: 500 }

/**
 * Works on jobs until stopped. Processes on one file share the jobs: the one that leases a job
 * works on it.
 */
export function workJobs(parts: JobSource, worker: Worker): () => Promise<void> {
  const working = new JobWorker(parts.step, worker)
  const forget = parts.onEnqueued(() => working.wake())
  return async () => {
    forget()
    await working.stop()
  }
}

type RunningJob = Lease & { readonly end: Promise<void> }

class JobWorker {
  readonly #step: Database['step']
  readonly #worker: Worker
  /** At most `AT_ONCE`. */
  #running: readonly RunningJob[] = []
  readonly #renewing: NodeJS.Timeout
  readonly #loop: Promise<void>
  #isStopped = false
  /** A job was enqueued while the loop was not waiting. */
  #isWoken = false
  #wakeUp: (() => void) | undefined

  constructor(step: Database['step'], worker: Worker) {
    this.#step = step
    this.#worker = worker
    this.#renewing = setInterval(() => void this.#renew(), LEASE_MS / 3)
    this.#loop = this.#poll()
  }

  wake(): void {
    this.#isWoken = true
    this.#wakeUp?.()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.wake()
    await this.#loop
    await Promise.all(this.#running.map(({ end }) => end))
    clearInterval(this.#renewing)
  }

  async #poll(): Promise<void> {
    let pauseMs = POLL_MS.least
    while (!this.#isStopped) {
      this.#isWoken = false
      // When the database is unavailable for a moment, the next poll tries again.
      const found = await this.#take().catch(() => 0)
      pauseMs = found > 0 ? POLL_MS.least : Math.min(pauseMs * 2, POLL_MS.most)
      await this.#pause(pauseMs)
    }
  }

  #pause(forMs: number): Promise<void> {
    if (this.#isWoken) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, forMs)
      const wakeUp = (): void => {
        clearTimeout(timer)
        resolve()
      }
      this.#wakeUp = wakeUp
    })
  }

  async #take(): Promise<number> {
    const most = AT_ONCE - this.#running.length
    // Checked with a read first, so that an idle queue writes nothing.
    if (most === 0 || !(await this.#step(areJobsDue, null))) return 0
    const running = this.#running.map(({ number }) => number)
    const leased = await this.#step(leaseJobs, { most, leaseMs: LEASE_MS, running })
    for (const one of leased) {
      // One in a turn of the event loop: requests of others are read in between.
      await nextPart()
      this.#start(one)
      await setImmediate()
    }
    return leased.length
  }

  #start(leased: LeasedJob): void {
    const { number, tries } = leased
    const end = this.#run(leased).finally(() => {
      const wasFull = this.#running.length === AT_ONCE
      this.#running = this.#running.filter((one) => one !== running)
      // More jobs may be due than there was room for.
      if (wasFull) this.wake()
    })
    const running = { number, tries, end }
    this.#running = [...this.#running, running]
  }

  async #run({ job, number, tries }: LeasedJob): Promise<void> {
    const isDone = await this.#worker(job).then(
      () => true,
      // The worker reports its own errors.
      () => false,
    )
    const isOver = isDone || tries >= MAX_TRIES
    const ending = isOver
      ? this.#step(endJob, { number, tries })
      : this.#step(retryJob, { number, tries, delayMs: RETRY_MS })
    // If the end cannot be written now, the job is leased again after the lease has expired.
    await ending.catch(() => undefined)
  }

  async #renew(): Promise<void> {
    const leases = this.#running.map(({ number, tries }) => ({ number, tries }))
    if (leases.length === 0) return
    // The next renewal comes before the lease expires.
    await this.#step(renewJobs, { leases, leaseMs: LEASE_MS }).catch(() => undefined)
  }
}

import type { JobStore } from '@surehand/core/ports'
import type { Database } from '../database.ts'
import {
  areJobsDue,
  endJob,
  type LeasedJob,
  leaseJobs,
  MAX_TRIES,
  renewJobs,
  retryJob,
} from './job-steps.ts'

type JobSource = {
  readonly step: Database['step']
  /** Registers a callback for jobs that this process enqueues; the returned function removes it. */
  readonly onEnqueued: (wake: () => void) => () => void
}

type Worker = Parameters<JobStore['work']>[0]

const AT_ONCE = 16
const LEASE_MS = 30_000
const RETRY_MS = 5_000
const POLL_MS = { least: 250, most: 1_000 }

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

class JobWorker {
  readonly #step: Database['step']
  readonly #worker: Worker
  readonly #running = new Map<LeasedJob, Promise<void>>()
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
    await Promise.all(this.#running.values())
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
      this.#wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async #take(): Promise<number> {
    const most = AT_ONCE - this.#running.size
    // Checked with a read first, so that an idle queue writes nothing.
    if (most === 0 || !(await this.#step(areJobsDue, null))) return 0
    const running = [...this.#running.keys()].map(({ number }) => number)
    const leased = await this.#step(leaseJobs, { most, leaseMs: LEASE_MS, running })
    for (const one of leased) this.#start(one)
    return leased.length
  }

  #start(leased: LeasedJob): void {
    const run = this.#run(leased).finally(() => {
      const wasFull = this.#running.size === AT_ONCE
      this.#running.delete(leased)
      // More jobs may be due than there was room for.
      if (wasFull) this.wake()
    })
    this.#running.set(leased, run)
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
    const leases = [...this.#running.keys()].map(({ number, tries }) => ({ number, tries }))
    if (leases.length === 0) return
    // The next renewal comes before the lease expires.
    await this.#step(renewJobs, { leases, leaseMs: LEASE_MS }).catch(() => undefined)
  }
}

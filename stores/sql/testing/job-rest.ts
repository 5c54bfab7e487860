import { setTimeout as wait } from 'node:timers/promises'
import { scopedKey } from '@surehand/core/internal'
import type { Clock, Job, JobStore } from '@surehand/core/ports'
import type { LyingJob, WorldPlace } from './world-place.ts'

type Worker = Parameters<JobStore['work']>[0]

/** The workers of one world. */
export type JobRest = {
  readonly work: JobStore['work']
  /**
   * Resolves when no due job waits for a running worker, and finished jobs have been marked as
   * done.
   */
  readonly isAtRest: () => Promise<boolean>
  /** Stops every worker, also one whose job hangs on purpose. */
  readonly stop: () => Promise<void>
}

// A worker that was woken and has not polled by then is woken again.
const WAKE_EVERY_MS = 200
const LOOK_MS = 3

export function jobRest({ stores, jobs, wakeWorkers }: WorldPlace, clock: Clock): JobRest {
  const stops = new Set<() => Promise<void>>()
  const running = new Map<string, number>()
  const expected = new Set<number>()
  const over = Promise.withResolvers<void>()
  let wokenAt = Number.NEGATIVE_INFINITY

  function count(job: Job, by: number): void {
    const name = scopedKey(job.tenant, job.callId)
    running.set(name, (running.get(name) ?? 0) + by)
  }

  function countRunning(worker: Worker): Worker {
    return async (job) => {
      count(job, 1)
      await Promise.race([worker(job), over.promise]).finally(() => count(job, -1))
    }
  }

  /** Leased but not running: a worker is about to start or has just ended. */
  function isBetween(lying: readonly LyingJob[]): boolean {
    const taken = Map.groupBy(
      lying.filter(({ isTaken }) => isTaken),
      ({ tenant, callId }) => scopedKey(tenant, callId),
    )
    return [...taken].some(([name, ofCall]) => ofCall.length > (running.get(name) ?? 0))
  }

  // The world's clock jumps from timer to timer: without a timer it would jump past a delayed job.
  function expect(dueAt: number): void {
    if (expected.has(dueAt)) return
    expected.add(dueAt)
    clock.after(dueAt - clock.now(), () => undefined)
  }

  async function wake(): Promise<void> {
    if (performance.now() - wokenAt < WAKE_EVERY_MS) return
    wokenAt = performance.now()
    await wakeWorkers()
  }

  return {
    work(worker) {
      const stop = stores.jobs.work(countRunning(worker))
      stops.add(stop)
      return async () => {
        stops.delete(stop)
        await stop()
      }
    },
    async isAtRest() {
      if (stops.size === 0) return true
      const lying = await jobs()
      const free = lying.filter(({ isTaken }) => !isTaken)
      for (const { dueAt } of free) if (dueAt > clock.now()) expect(dueAt)
      const isDue = free.some(({ dueAt }) => dueAt <= clock.now())
      if (!isDue && !isBetween(lying)) {
        wokenAt = Number.NEGATIVE_INFINITY
        return true
      }
      if (isDue) await wake()
      await wait(LOOK_MS)
      return false
    },
    async stop() {
      over.resolve()
      await Promise.all([...stops].map((stop) => stop()))
    },
  }
}

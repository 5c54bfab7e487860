import type { Clock, Job, JobStore } from '@surehand/core'

/** Wake-ups in memory. What comes while nobody works waits for whoever starts. */
export function memoryJobs(clock: Clock): JobStore {
  const waiting: Job[] = []
  let worker: ((job: Job) => Promise<void>) | undefined
  const running = new Set<Promise<void>>()

  function deliver(job: Job): void {
    if (worker === undefined) {
      waiting.push(job)
      return
    }
    // a job that throws is a bug of the worker; the sweep finds its call again
    const run = worker(job).catch(() => undefined)
    running.add(run)
    void run.then(() => running.delete(run))
  }

  return {
    enqueue(job, delayMs) {
      if (delayMs > 0) clock.after(delayMs, () => deliver(job))
      else queueMicrotask(() => deliver(job))
    },
    work(handle) {
      worker = handle
      for (const job of waiting.splice(0)) deliver(job)
      return async () => {
        worker = undefined
        await Promise.all(running)
      }
    },
  }
}

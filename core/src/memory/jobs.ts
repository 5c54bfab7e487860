import { scopedKey } from '../call/scope.ts'
import type { Clock } from '../ports/clock.ts'
import type { Job, JobStore } from '../ports/jobs.ts'

type Delivery = { readonly job: Job; readonly tries: number }

const RETRY_MS = 5_000
const MOST_TRIES = 10

/** Jobs in memory. Jobs that come while no worker runs wait for one, at most one per call. */
export function memoryJobs(clock: Clock): JobStore {
  const waiting = new Map<string, Delivery>()
  const retries = new Map<Delivery, () => void>()
  const running = new Set<Promise<void>>()
  let worker: ((job: Job) => Promise<void>) | undefined

  function deliver(delivery: Delivery): void {
    if (worker === undefined) {
      // One job per call is enough: the worker reads the current row.
      waiting.set(scopedKey(delivery.job.tenant, delivery.job.callId), delivery)
      return
    }
    const run = attempt(worker, delivery)
    running.add(run)
    void run.then(() => running.delete(run))
  }

  async function attempt(
    handle: (job: Job) => Promise<void>,
    { job, tries }: Delivery,
  ): Promise<void> {
    try {
      await handle(job)
    } catch {
      // The worker reports its own failures; after the last try the sweep still finds the call.
      if (tries + 1 < MOST_TRIES) retry({ job, tries: tries + 1 })
    }
  }

  function retry(delivery: Delivery): void {
    if (worker === undefined) {
      deliver(delivery)
      return
    }
    const cancel = clock.after(RETRY_MS, () => {
      retries.delete(delivery)
      deliver(delivery)
    })
    retries.set(delivery, cancel)
  }

  // A pending retry timer would keep the process alive after the worker has stopped.
  function shelve(): void {
    for (const [delivery, cancel] of retries) {
      cancel()
      deliver(delivery)
    }
    retries.clear()
  }

  return {
    enqueue(job, delayMs) {
      if (delayMs > 0) clock.after(delayMs, () => deliver({ job, tries: 0 }))
      else queueMicrotask(() => deliver({ job, tries: 0 }))
    },
    work(handle) {
      worker = handle
      const found = [...waiting.values()]
      waiting.clear()
      for (const delivery of found) deliver(delivery)
      return async () => {
        if (worker === handle) worker = undefined
        if (worker === undefined) shelve()
        await Promise.all(running)
      }
    },
  }
}

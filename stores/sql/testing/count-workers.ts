import type { SqlStores } from '../src/sql-stores.ts'

/** Counts the job workers of the stores of one test, so that its clock knows whom to wait for. */
export type WorkerCount = {
  /** The same stores, with their workers counted. */
  readonly watched: (stores: SqlStores) => SqlStores
  readonly count: () => number
  /** Stops those that the test left running. */
  readonly stopAll: () => Promise<unknown>
}

export function countWorkers(): WorkerCount {
  const running = new Set<() => Promise<void>>()
  return {
    watched(stores) {
      const work: SqlStores['jobs']['work'] = (worker) => {
        const stopWorker = stores.jobs.work(worker)
        let stopping: Promise<void> | undefined
        const stop = () => (stopping ??= stopWorker().finally(() => running.delete(stop)))
        running.add(stop)
        return stop
      }
      return { ...stores, jobs: { ...stores.jobs, work } }
    },
    count: () => running.size,
    stopAll: () => Promise.all([...running].map((stop) => stop())),
  }
}

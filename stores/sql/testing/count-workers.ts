import type { SqlStores } from '../src/sql-stores.ts'

/** Counts the job workers of the stores of one test, so that its clock knows whom to wait for. */
export type WorkerCount = {
  /** The same stores, with their workers counted. */
  readonly watched: (stores: SqlStores) => SqlStores
  readonly count: () => number
}

export function countWorkers(): WorkerCount {
  let running = 0
  return {
    watched(stores) {
      const work: SqlStores['jobs']['work'] = (worker) => {
        const stop = stores.jobs.work(worker)
        running++
        let stopping: Promise<void> | undefined
        return () => (stopping ??= stop().finally(() => running--))
      }
      return { ...stores, jobs: { ...stores.jobs, work } }
    },
    count: () => running,
  }
}

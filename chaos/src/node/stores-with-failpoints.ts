import type { Stores } from '@surehand/core'
import { FAILPOINTS, type FailpointName } from './failpoint.ts'
import type { Failpoints } from './failpoints.ts'

const STORES: readonly (keyof Stores)[] = [
  'calls',
  'approvals',
  'jobs',
  'limits',
  'runs',
  'cache',
  'audit',
  'values',
  'admin',
]
type Method = (...args: readonly unknown[]) => unknown

/** The same stores, with a failpoint on both sides of every writing step. */
export function addFailpointsToStores(stores: Stores, failpoints: Failpoints): Stores {
  // erased: every method is present again, with its own arguments and result
  const entries = STORES.map((name) => [
    name,
    wrapStore(name, stores[name] as unknown as Record<string, Method>, failpoints),
  ])
  const all = Object.fromEntries(entries) as Stores
  return {
    ...stores,
    ...all,
    jobs: {
      ...all.jobs,
      work: (worker) => stores.jobs.work(wrapWorker(worker, stores, failpoints)),
    },
    calls: {
      ...all.calls,
      abandoned: async (limit) =>
        (await stores.calls.abandoned(limit)).filter(failpoints.appliesTo),
    },
  }
}

function wrapStore(
  storeName: string,
  store: Readonly<Record<string, Method>>,
  failpoints: Failpoints,
): Record<string, Method> {
  const methods = Object.entries(store).filter(([, method]) => typeof method === 'function')
  return Object.fromEntries(
    methods.map(([name, method]) => {
      const point = FAILPOINTS.find((known) => known === `${storeName}.${name}`)
      return [
        name,
        (...args: readonly unknown[]) =>
          failpoints.wrap(isPromised(point, args) ? point : undefined, args, () => method(...args)),
      ]
    }),
  )
}

// The record of a read may be lost with its batch; only `before-answer` records are promised.
function isPromised(point: FailpointName | undefined, args: readonly unknown[]): boolean {
  return point !== 'audit.append' || args[1] === 'before-answer'
}

type Worker = Parameters<Stores['jobs']['work']>[0]

// A wake-up contains only the call's id; the row tells which item it is for.
function wrapWorker(worker: Worker, stores: Stores, failpoints: Failpoints): Worker {
  const point: FailpointName = 'jobs.delivery'
  return async (job) => {
    const row = await stores.calls.get(job.tenant, job.callId)
    // A node that is to die with one call must not pick up another one.
    if (!failpoints.appliesTo(row)) throw new Error('Another node handles this job.')
    return failpoints.wrap(point, row, () => worker(job))
  }
}

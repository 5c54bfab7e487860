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
    runs: { ...all.runs, wakeDue: wakeDueWithFailpoint(stores, failpoints) },
    calls: {
      ...all.calls,
      abandoned: async (limit, at) =>
        (await stores.calls.abandoned(limit, at)).filter(failpoints.appliesTo),
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

type WakeDue = Stores['runs']['wakeDue']
type Worker = Parameters<Stores['jobs']['work']>[0]

// A wake-up contains only the call's id; the row tells which item it is for.
function wrapWorker(worker: Worker, stores: Stores, failpoints: Failpoints): Worker {
  const point: FailpointName = 'jobs.delivery'
  return async (job) => {
    const row = await stores.calls.get(job.tenant, job.callId)
    // A node that is to die with one call must not pick up another one.
    if (!failpoints.appliesTo(row) || !failpoints.mayContinue())
      throw new Error('Another node handles this job.')
    return failpoints.wrap(point, row, () => worker(job))
  }
}

/**
 * The search for due runs is not about one call. For an item it counts when it finds the item's run
 * parked, and when it has queued it.
 */
function wakeDueWithFailpoint({ runs, calls }: Stores, failpoints: Failpoints): WakeDue {
  const ownRuns = async (state: string) => {
    const own = failpoints.ownCalls() ?? []
    const rows = await Promise.all(own.map(({ tenant, callId }) => calls.get(tenant, callId)))
    return rows.filter((row) => row?.state === state)
  }
  return async (limit) => {
    const point: FailpointName = 'runs.wakeDue'
    if (failpoints.ownCalls() === undefined)
      return failpoints.wrap(point, [limit], () => runs.wakeDue(limit))
    for (const run of await ownRuns('parked')) await failpoints.reach(point, 'before', run)
    const woken = await runs.wakeDue(limit)
    for (const run of await ownRuns('queued')) await failpoints.reach(point, 'after', run)
    return woken
  }
}

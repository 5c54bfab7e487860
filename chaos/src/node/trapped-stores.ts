import type { Stores } from '@surehand/core'
import { FAILPOINTS, type FailpointName } from './failpoint.ts'
import type { TrapDoor } from './trap-door.ts'

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

/** The same stores, with a failpoint on both sides of every step. */
export function trappedStores(stores: Stores, door: TrapDoor): Stores {
  // erased: every method is there again, with its own arguments and answer
  const entries = STORES.map((name) => [
    name,
    trapped(name, stores[name] as unknown as Record<string, Method>, door),
  ])
  const all = Object.fromEntries(entries) as Stores
  return {
    ...stores,
    ...all,
    jobs: { ...all.jobs, work: (worker) => stores.jobs.work(delivered(worker, stores, door)) },
    calls: {
      ...all.calls,
      abandoned: async (limit) => (await stores.calls.abandoned(limit)).filter(door.concerns),
    },
  }
}

function trapped(
  storeName: string,
  store: Readonly<Record<string, Method>>,
  door: TrapDoor,
): Record<string, Method> {
  const methods = Object.entries(store).filter(([, method]) => typeof method === 'function')
  return Object.fromEntries(
    methods.map(([name, method]) => {
      const point = FAILPOINTS.find((known) => known === `${storeName}.${name}`)
      return [
        name,
        (...args: readonly unknown[]) =>
          door.around(isPromised(point, args) ? point : undefined, args, () => method(...args)),
      ]
    }),
  )
}

// a read's record may be lost with its batch: nobody was promised it
function isPromised(point: FailpointName | undefined, args: readonly unknown[]): boolean {
  return point !== 'audit.append' || args[1] === 'before-answer'
}

type Worker = Parameters<Stores['jobs']['work']>[0]

// a wake-up names its call and nothing else: whose it is stands in the row
function delivered(worker: Worker, stores: Stores, door: TrapDoor): Worker {
  const point: FailpointName = 'jobs.delivery'
  return async (job) => {
    const row = await stores.calls.get(job.tenant, job.callId)
    // who is to die with one call must not take another one with it
    if (!door.concerns(row)) throw new Error('This is left to somebody who lives.')
    return door.around(point, row, () => worker(job))
  }
}

import type { WorldSetup } from '@surehand/conformance'
import type { Stores } from '@surehand/core'
import type { Clock } from '@surehand/core/ports'
import { jobRest } from './job-rest.ts'
import { underWay } from './under-way.ts'
import type { OpenWorldPlace, WorldPlace } from './world-place.ts'

/** How the behaviours are run on stores that work in real time. */
export type BehaviourWorld = {
  readonly setup: WorldSetup & { readonly pause: () => Promise<void> }
  readonly close: () => Promise<void>
}

/** One world at a time. */
type Life = {
  readonly stores: Stores
  readonly pause: () => Promise<void>
  readonly end: () => Promise<void>
}

const PATIENCE_MS = 30_000

/**
 * Opens the stores once for all behaviours, because a writer's thread takes time to start; every
 * world finds them empty. The database's clock follows the world's, which advances when no
 * operation of the stores is in progress.
 */
export function behaviourWorld(openPlace: OpenWorldPlace): BehaviourWorld {
  let place: WorldPlace | undefined
  let life: Life | undefined

  async function endLast(): Promise<void> {
    const last = life
    // A world that cannot be closed must not affect the others.
    life = undefined
    await last?.end()
  }

  return {
    setup: {
      async openStores({ clock, schema }) {
        await endLast()
        place ??= await openPlace(schema)
        await place.clean()
        // A database counts whole milliseconds.
        life = live(place, { ...clock, now: () => Math.floor(clock.now()) })
        return life.stores
      },
      pause: async () => life?.pause(),
    },
    async close() {
      await endLast()
      await place?.close()
    },
  }
}

function live(place: WorldPlace, clock: Clock): Life {
  const asked = underWay()
  const workers = jobRest(place, clock)
  const setClock = clockSetter(place, clock)
  let isOver = false

  function ask(method: string, work: () => unknown): unknown {
    // The processes of a world that has ended count as killed.
    if (isOver) return new Promise(() => undefined)
    const set = setClock()
    const answer = set === undefined ? work() : set.then(work)
    return answer instanceof Promise ? asked.track(method, answer) : answer
  }

  return {
    stores: followOperations(
      { ...place.stores, jobs: { ...place.stores.jobs, work: workers.work } },
      ask,
    ),
    async pause() {
      const startedAt = performance.now()
      do {
        if (performance.now() - startedAt > PATIENCE_MS)
          throw new Error('A job is due, and nobody comes for it.')
        await setClock()
        await asked.rest()
        // A worker may have started a job while the database was asked for those that wait.
      } while (!((await workers.isAtRest()) && (await asked.isAtRest())))
    },
    async end() {
      isOver = true
      await workers.stop()
      // A second time, because the first one leaves local effects running.
      await asked.rest()
      await asked.rest()
      await place.stores.audit.flush()
    },
  }
}

/** Sets the database's clock to the world's; undefined when it is set already. */
function clockSetter({ stopClock }: WorldPlace, clock: Clock): () => Promise<void> | undefined {
  let standsAt: number | undefined
  let setting: Promise<void> | undefined
  return () => {
    if (standsAt === clock.now()) return setting
    standsAt = clock.now()
    const set = stopClock(standsAt)
    setting = set?.finally(() => {
      setting = undefined
    })
    return setting
  }
}

type Ask = (method: string, work: () => unknown) => unknown

/** Stores whose every operation passes through `ask`. */
function followOperations(stores: Stores, ask: Ask): Stores {
  const { calls, approvals, jobs, limits, runs, notices, cache, audit, values, admin } = stores
  const ports = {
    calls,
    approvals,
    jobs,
    limits,
    runs,
    notices,
    cache,
    audit,
    values,
    admin,
  } satisfies Stores
  // erased: every port has the same methods as before
  return Object.fromEntries(
    Object.entries(ports).map(([name, port]) => [name, followedPort(name, port, ask)]),
  ) as Stores
}

function followedPort(name: string, port: object, ask: Ask): object {
  const methods = Object.entries(port) as [string, (...args: readonly unknown[]) => unknown][]
  return Object.fromEntries(
    methods.map(([method, run]) => {
      // It returns at once, with a function to stop.
      if (name === 'jobs' && method === 'work') return [method, run]
      return [method, (...args: readonly unknown[]) => ask(`${name}.${method}`, () => run(...args))]
    }),
  )
}

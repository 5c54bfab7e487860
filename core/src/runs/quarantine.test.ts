import { fakeClock } from '@surehand/conformance'
import { expect, test } from 'vitest'
import { memoryStores } from '../memory/memory-stores.ts'
import type { Stores } from '../ports/stores.ts'
import { composite, open, put, run } from './fixtures/shop.ts'

const NEVER = new Promise<never>(() => undefined)
const DEATHS = 20

/** How a run ends whose processes have died in this place, as the store sees it, so many times. */
async function endAfterDeaths(place: 'its own code' | 'a step that writes', deaths: number) {
  const clock = fakeClock()
  const stores = memoryStores({ clock })
  for (let death = 0; death < deaths; death++) {
    void run(openDying(place, stores, clock))
    // Longer than any lease.
    await clock.advance(10 * 60_000 + 1_000)
  }
  const code = composite(async () => 'done')
  return run(open(code, { stores, clock }))
}

/** A process that stores nothing more from the moment when it has reached this place. */
function openDying(
  place: 'its own code' | 'a step that writes',
  stores: Stores,
  clock: ReturnType<typeof fakeClock>,
) {
  let isDead = false
  const unlessDead =
    <A extends readonly unknown[], R>(write: (...args: A) => R) =>
    (...args: A) =>
      isDead ? NEVER : write(...args)
  const die = (): Promise<never> => {
    isDead = true
    return NEVER
  }
  const { renew, abandon, finish } = stores.calls
  const silent = {
    renew: unlessDead(renew),
    abandon: unlessDead(abandon),
    finish: unlessDead(finish),
  }
  const code = composite(async ({ step }) =>
    place === 'its own code' ? die() : (await step('put', put, { item: 'boat' })).id,
  )
  return open(code, {
    stores: {
      ...stores,
      calls: { ...stores.calls, ...silent },
      runs: { ...stores.runs, write: unlessDead(stores.runs.write) },
    },
    clock,
    providers: { shop: { put: die } },
  })
}

const QUARANTINED = { error: { details: { source_code: 'quarantined', deaths: DEATHS } } }

test('a run that has ended its process twenty times in its own code is not driven again', async () => {
  expect(await endAfterDeaths('its own code', DEATHS - 1)).toMatchObject({ status: 'done' })
  expect(await endAfterDeaths('its own code', DEATHS)).toMatchObject(QUARANTINED)
})

test('deaths in a step that writes are counted for the step', async () => {
  expect(await endAfterDeaths('a step that writes', DEATHS)).not.toMatchObject(QUARANTINED)
})

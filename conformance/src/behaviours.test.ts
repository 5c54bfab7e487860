import { memoryStores } from '@surehand/memory'
import { describe, test } from 'vitest'
import { BEHAVIOURS } from './behaviours/all.ts'
import { openWorld } from './world/world.ts'

describe('in process, with stores in memory', () => {
  for (const behaviour of BEHAVIOURS) {
    test(`${behaviour.id}: ${behaviour.sentence}`, async () => {
      const world = await openWorld({ openStores: memoryStores })
      await behaviour.run(world)
      await world.close()
    })
  }
})

import { memoryStores } from '@surehand/core'
import { describe, expect, test } from 'vitest'
import { BEHAVIOURS } from './behaviours/all.ts'
import { openWorld } from './world/world.ts'

describe('a behaviour fails under its mutant', () => {
  for (const { id, mutant, run } of BEHAVIOURS) {
    test(`${id}, with ${mutant.breaks}`, async () => {
      const world = await openWorld({ openStores: memoryStores, mutant })
      const thrown: unknown = await run(world).then(
        () => undefined,
        (error: unknown) => error,
      )
      await world.close()
      // a crash of the mutant itself would prove as little as a citation
      expect(thrown, 'the behaviour passed: it does not see what it is about').toBeInstanceOf(Error)
      expect((thrown as Error).name, String((thrown as Error).stack)).toBe('AssertionError')
    })
  }
})

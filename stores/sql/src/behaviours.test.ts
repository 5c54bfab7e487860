import { BEHAVIOURS, behaviourSuite } from '@surehand/conformance'
import { afterAll, expect, test } from 'vitest'
import { behaviourWorld } from '../testing/behaviour-world.ts'
import { openSqliteWorldPlace } from '../testing/sqlite-world-place.ts'

const world = behaviourWorld(openSqliteWorldPlace)
afterAll(world.close)

const results = behaviourSuite('process, on SQLite', world.setup)

test('on SQLite no behaviour was left out', () => {
  expect(results.filter(({ verdict }) => verdict !== 'does not apply').map(({ id }) => id)).toEqual(
    BEHAVIOURS.map(({ id }) => id),
  )
})

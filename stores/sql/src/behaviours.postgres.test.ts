import { BEHAVIOURS, behaviourSuite } from '@surehand/conformance'
import { afterAll, expect, inject, test } from 'vitest'
import { behaviourWorld } from '../testing/behaviour-world.ts'
import { openPostgresWorldPlace } from '../testing/postgres-world-place.ts'

const world = behaviourWorld((schema) => openPostgresWorldPlace(inject('postgres'), schema))
afterAll(world.close)

const results = behaviourSuite('process, on PostgreSQL', world.setup)

test('on PostgreSQL no behaviour was left out', () => {
  expect(results.filter(({ verdict }) => verdict !== 'does not apply').map(({ id }) => id)).toEqual(
    BEHAVIOURS.map(({ id }) => id),
  )
})

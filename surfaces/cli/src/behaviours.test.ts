import { BEHAVIOURS, behaviourSuite } from '@surehand/conformance'
import { memoryStores } from '@surehand/core'
import { expect, test } from 'vitest'
import { createCliSurfaces } from './fixtures/cli-surface.ts'

const surfaces = createCliSurfaces()
const results = behaviourSuite('cli', {
  openStores: memoryStores,
  openSurface: surfaces.open,
  pause: surfaces.pause,
})

test('from a shell only what needs more than JSON or a framework was left out', () => {
  const left = BEHAVIOURS.filter(({ needs }) =>
    needs.some((ability) => ability === 'value' || ability === 'hostCall' || ability === 'model'),
  )
  expect(results.filter(({ verdict }) => verdict === 'does not apply').map(({ id }) => id)).toEqual(
    left.map(({ id }) => id),
  )
})

import { BEHAVIOURS, behaviourSuite } from '@surehand/conformance'
import { memoryStores } from '@surehand/core'
import { expect, test } from 'vitest'
import { langChainSurfaces } from './fixtures/langchain-surface.ts'

const surfaces = langChainSurfaces()
const results = behaviourSuite('langchain', {
  openStores: memoryStores,
  openSurface: surfaces.open,
  pause: surfaces.pause,
})

test('only behaviours that need the unparsed text of the input, or a key written by the model, are skipped for an agent', () => {
  const left = BEHAVIOURS.filter(
    ({ needs }) => needs.includes('json') || needs.includes('keyField'),
  )
  expect(results.filter(({ verdict }) => verdict === 'does not apply').map(({ id }) => id)).toEqual(
    left.map(({ id }) => id),
  )
})

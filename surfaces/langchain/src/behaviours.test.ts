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

test('from an agent was left out what needs the text of the input, which a message holds parsed, or a key that a model wrote into it', () => {
  const left = BEHAVIOURS.filter(
    ({ needs }) => needs.includes('json') || needs.includes('keyField'),
  )
  expect(results.filter(({ verdict }) => verdict === 'does not apply').map(({ id }) => id)).toEqual(
    left.map(({ id }) => id),
  )
})

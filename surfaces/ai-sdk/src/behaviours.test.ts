import { BEHAVIOURS, behaviourSuite } from '@surehand/conformance'
import { memoryStores } from '@surehand/core'
import { expect, test } from 'vitest'
import { aiSdkSurfaces } from './fixtures/ai-sdk-surface.ts'

const surfaces = aiSdkSurfaces()
const results = behaviourSuite('ai-sdk', {
  openStores: memoryStores,
  openSurface: surfaces.open,
  pause: surfaces.pause,
})

test('only behaviours that need unparsed text, values beyond JSON, or a key written by the model are skipped for the AI SDK', () => {
  const left = BEHAVIOURS.filter(({ needs }) =>
    needs.some((ability) => ['json', 'value', 'keyField'].includes(ability)),
  )
  expect(results.filter(({ verdict }) => verdict === 'does not apply').map(({ id }) => id)).toEqual(
    left.map(({ id }) => id),
  )
})

import { BEHAVIOURS, behaviourSuite } from '@surehand/conformance'
import { memoryStores } from '@surehand/core'
import { expect, test } from 'vitest'
import { aiSdkDoors } from './fixtures/ai-sdk-door.ts'

const doors = aiSdkDoors()
const results = behaviourSuite('ai-sdk', {
  openStores: memoryStores,
  openDoor: doors.open,
  pause: doors.pause,
})

test('in the AI SDK only what needs the unparsed text, more than JSON, or a key that no model wrote was left out', () => {
  const left = BEHAVIOURS.filter(({ needs }) =>
    needs.some((ability) => ['json', 'value', 'keyField'].includes(ability)),
  )
  expect(results.filter(({ verdict }) => verdict === 'does not apply').map(({ id }) => id)).toEqual(
    left.map(({ id }) => id),
  )
})

import { BEHAVIOURS, behaviourSuite } from '@surehand/conformance'
import { memoryStores } from '@surehand/memory'
import { expect, test } from 'vitest'
import { langChainDoors } from './fixtures/langchain-door.ts'

const doors = langChainDoors()
const results = behaviourSuite('langchain', { openStores: memoryStores, openDoor: doors.open, pause: doors.pause })

test('from an agent only what needs the text of the input was left out: a message holds parsed arguments', () => {
  const left = BEHAVIOURS.filter(({ needs }) => needs.includes('json'))
  expect(results.filter(({ verdict }) => verdict === 'does not apply').map(({ id }) => id)).toEqual(left.map(({ id }) => id))
})

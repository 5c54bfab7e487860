import type { Caller } from '@surehand/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ANN, openPersonalWorld, type PersonalWorld } from '../../testing/personal-world.ts'

// Captured in Tokyo for an hour after midnight; at home it is still the day before.
const abroad: Caller = { ...ANN, principal: 'traveller', timeZone: 'Asia/Tokyo' }
const home: Caller = { ...abroad, timeZone: 'Europe/Berlin' }

let world: PersonalWorld
beforeAll(async () => {
  world = await openPersonalWorld()
  await world.data('task.capture', { text: 'Ring the office' }, abroad)
  await world.data(
    'task.clarify',
    { task: 'Ring the office', to: 'next_action', due: '2026-01-16 01:00' },
    abroad,
  )
})
afterAll(() => world.close())

const DECISION = {
  question: 'What first?',
  options: [
    { name: 'Ring', scores: { cost: 4 }, links: [{ kind: 'task', name: 'Ring the office' }] },
    { name: 'Rest', scores: { cost: 9 } },
  ],
  criteria: [{ name: 'cost', weight: 1 }],
}

test.each([
  ['ai.recommend', {}, '2026-01-15'],
  ['ai.explain_task_recommendation', { task: 'Ring the office' }, '2026-01-15 17:00'],
  ['ai.explain_decision_comparison', DECISION, '2026-01-15'],
])('%s gives the day of a due time in the person’s zone', async (tool, input, day) => {
  const answers = JSON.stringify(await world.data(tool, input, home))
  expect(answers).toContain(`"at":"${day}"`)
  expect(answers).not.toContain('"at":"2026-01-16')
})

import { fakeClock } from '@surehand/conformance'
import { expect, test } from 'vitest'
import { createHeldRefusals } from './held-refusals.ts'

const nextRound = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

async function settle(): Promise<void> {
  for (let round = 0; round < 10; round++) await nextRound()
}

test('the refusals of a name are sent 200 a second, and those of another name in turn with them', async () => {
  const clock = fakeClock()
  const refusals = createHeldRefusals(clock)
  const sent = { greedy: 0, ann: 0 }
  for (let index = 0; index < 600; index++) void refusals.hold('greedy').then(() => sent.greedy++)
  await settle()
  expect(sent).toEqual({ greedy: 4, ann: 0 })
  void refusals.hold('ann').then(() => sent.ann++)
  await clock.advance(20)
  await settle()
  expect(sent).toEqual({ greedy: 7, ann: 1 })
})

test('at most a thousand refusals of a name are held', async () => {
  const refusals = createHeldRefusals(fakeClock())
  let sent = 0
  for (let index = 0; index < 1_010; index++) void refusals.hold('greedy').then(() => sent++)
  await settle()
  expect(sent).toBe(4 + 10)
})

test('refusals that may be sent together are sent one in a round of the event loop', async () => {
  const refusals = createHeldRefusals(fakeClock())
  let sent = 0
  for (let index = 0; index < 4; index++) void refusals.hold('greedy').then(() => sent++)
  const after: number[] = []
  for (let round = 0; round < 5; round++) {
    await nextRound()
    after.push(sent)
  }
  expect(after.filter((count, round) => count - (after[round - 1] ?? 0) > 1)).toEqual([])
  expect(sent).toBe(4)
})

import { fakeClock } from '@surehand/conformance'
import { expect, test } from 'vitest'
import { createFairTurns } from './fair-turns.ts'

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('within the limit nobody waits', async () => {
  const turns = createFairTurns(400, fakeClock())
  await Promise.all(Array.from({ length: 8 }, () => turns.next('ann')))
})

test('one that asks a thousand times does not delay another', async () => {
  const clock = fakeClock()
  const turns = createFairTurns(400, clock)
  let greedy = 0
  for (let index = 0; index < 1_000; index++) void turns.next('greedy').then(() => greedy++)
  let isServed = false
  void turns.next('ann').then(() => {
    isServed = true
  })
  await settle()
  expect([greedy, isServed]).toEqual([8, false])
  await clock.advance(20)
  await settle()
  expect([greedy, isServed]).toEqual([15, true])
  for (let tick = 0; tick < 49; tick++) await clock.advance(20)
  await settle()
  expect(greedy).toBe(15 + 49 * 8)
})

test('one that leaves gives its turn away', async () => {
  const clock = fakeClock()
  const turns = createFairTurns(50, clock)
  await turns.next('ann')
  const leaving = new AbortController()
  const left = turns.next('ben', leaving.signal)
  const next = turns.next('cem')
  leaving.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
  await clock.advance(20)
  await next
  await expect(turns.next('ben', leaving.signal)).rejects.toThrow('gone')
})

import { fakeClock } from '@surehand/conformance'
import { expect, test } from 'vitest'
import { createAnswering } from './answering.ts'
import { createFairTurns, createLoopTurns } from './fair-turns.ts'

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
  const left = turns.next('ben', { signal: leaving.signal })
  const next = turns.next('cem')
  leaving.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
  await clock.advance(20)
  await next
  await expect(turns.next('ben', { signal: leaving.signal })).rejects.toThrow('gone')
})

test('one turn is given in a round of the event loop, the names one after the other', async () => {
  const turns = createLoopTurns()
  const served: string[] = []
  for (const name of ['greedy', 'greedy', 'greedy', 'ann'])
    void turns.next(name).then(() => served.push(name))
  expect(served).toEqual([])
  const after: number[] = []
  for (let round = 0; round < 4; round++) {
    await settle()
    after.push(served.length)
  }
  expect(after).toEqual([1, 2, 3, 4])
  expect(served).toEqual(['greedy', 'ann', 'greedy', 'greedy'])
})

test('a turn lets small calls pass, and no longer than it must', async () => {
  let nowMs = 0
  const answering = createAnswering(() => nowMs)
  const turns = createLoopTurns({ answering, nowMs: () => nowMs })
  const served: string[] = []
  const sinceMs = answering.begin()
  void turns.next('list').then(() => served.push('list'))
  for (let round = 0; round < 5; round++) await settle()
  expect(served).toEqual([])
  answering.end(sinceMs)
  await expect.poll(() => served).toEqual(['list'])

  // a call that takes long waits for something else
  answering.begin()
  void turns.next('list').then(() => served.push('beside a long call'))
  nowMs += 3
  await expect.poll(() => served).toEqual(['list', 'beside a long call'])

  // calls without end do not keep it waiting
  for (let index = 0; index < 3; index++) {
    answering.begin()
    if (index === 0) void turns.next('list').then(() => served.push('among many calls'))
    await settle()
    nowMs += 2
  }
  await expect.poll(() => served.at(-1)).toBe('among many calls')
  expect(answering.isBusy()).toBe(true)
})

test('of one name, the work that came first is finished before the next', async () => {
  const turns = createLoopTurns()
  const served: string[] = []
  const work = async (order: number): Promise<void> => {
    for (let part = 0; part < 2; part++) {
      await turns.next('ann', { order })
      served.push(`${order}.${part}`)
    }
  }
  await Promise.all([work(1), work(0), work(2)])
  expect(served).toEqual(['0.0', '0.1', '1.0', '1.1', '2.0', '2.1'])
})

test('while calls are made, a name that has used up its budget waits, and others do not', async () => {
  let nowMs = 0
  const answering = createAnswering(() => nowMs)
  const turns = createLoopTurns({ answering, leastMs: 600, nowMs: () => nowMs })
  const answerCall = (): void => answering.end(answering.begin())
  const served: string[] = []
  await turns.next('greedy')
  await settle()
  // nobody else is there
  await turns.next('greedy')
  await settle()
  answerCall()
  void turns.next('greedy').then(() => served.push('greedy'))
  await turns.next('ann').then(() => served.push('ann'))
  expect(served).toEqual(['ann'])
  nowMs += 2_100
  answerCall()
  await expect.poll(() => served).toEqual(['ann', 'greedy'])
})

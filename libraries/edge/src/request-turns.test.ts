import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startInTurns } from './request-turns.ts'

const TOGETHER = { perTurn: 16, perClient: 4, start: 'together' } as const

test('requests of one turn are started in it, in order, and all before the first continues', async () => {
  const events: string[] = []
  const arrive = startInTurns(async (name: string) => {
    events.push(`starts ${name}`)
    await undefined
    events.push(`continues ${name}`)
  }, TOGETHER)
  arrive('a', 'ann')
  arrive('b', 'ann')
  expect(events).toEqual([])
  await turn()
  expect(events).toEqual(['starts a', 'starts b', 'continues a', 'continues b'])
  arrive('c', 'ann')
  await turn()
  expect(events.slice(4)).toEqual(['starts c', 'continues c'])
})

test('of many requests so many are started in a turn, those of one client in order', async () => {
  const started: number[] = []
  const arrive = startInTurns((index: number) => started.push(index), TOGETHER)
  for (let index = 0; index < 100; index++) arrive(index, 'greedy')
  const after: number[] = []
  for (let turns = 0; turns < 7; turns++) {
    await turn()
    after.push(started.length)
  }
  expect(after).toEqual([16, 32, 48, 64, 80, 96, 100])
  expect(started).toEqual(Array.from({ length: 100 }, (_, index) => index))
})

test('a client that arrives behind many requests of another is started in the next turn', async () => {
  const started: string[] = []
  const arrive = startInTurns((name: string) => started.push(name), {
    perTurn: 4,
    perClient: 2,
    start: 'together',
  })
  for (let index = 0; index < 100; index++) arrive('greedy', 'greedy')
  await turn()
  arrive('ann', 'ann')
  await turn()
  expect(started).toEqual([...Array(5).fill('greedy'), 'ann', 'greedy', 'greedy'])
})

test('while there are other clients, few of one client are started in a turn', async () => {
  const started: string[] = []
  const arrive = startInTurns((name: string) => started.push(name), TOGETHER)
  for (let index = 0; index < 40; index++) arrive('greedy', 'greedy')
  await turn()
  arrive('ann', 'ann')
  await turn()
  expect([started.length, started.slice(16)]).toEqual([
    24,
    ['greedy', 'ann', ...Array(6).fill('greedy')],
  ])
  await turn()
  expect(started).toHaveLength(28)
  for (let turns = 0; turns < 300; turns++) {
    arrive('greedy', 'greedy')
    await turn()
  }
  const before = started.length
  for (let index = 0; index < 40; index++) arrive('greedy', 'greedy')
  await turn()
  expect(started.length - before).toBe(16)
})

test('the first requests of a turn can be started at once, the rest in the next turns', async () => {
  const started: string[] = []
  const arrive = startInTurns((name: string) => started.push(name), {
    perTurn: 2,
    perClient: 2,
    start: 'now',
  })
  for (let index = 0; index < 6; index++) arrive('greedy', 'greedy')
  arrive('ann', 'ann')
  expect(started).toEqual(['greedy', 'greedy'])
  await turn()
  expect(started.slice(2)).toEqual(['greedy', 'ann'])
  await turn()
  await turn()
  arrive('ben', 'ben')
  expect(started.slice(4)).toEqual(['greedy', 'greedy', 'greedy', 'ben'])
})

test('a request that throws does not stop the others', async () => {
  const begun: string[] = []
  const arrive = startInTurns((name: string) => {
    if (name === 'bad') throw new Error('broke')
    begun.push(name)
  }, TOGETHER)
  const listeners = process.listeners('uncaughtException')
  const broke: string[] = []
  process.removeAllListeners('uncaughtException')
  process.on('uncaughtException', ({ message }) => broke.push(message))
  try {
    for (const name of ['a', 'bad', 'b', 'c']) arrive(name, 'ann')
    await turn()
    await turn()
  } finally {
    process.removeAllListeners('uncaughtException')
    for (const listener of listeners) process.on('uncaughtException', listener)
  }
  expect({ begun, broke }).toEqual({ begun: ['a', 'b', 'c'], broke: ['broke'] })
})

import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { runInBatches } from './run-in-batches.ts'

test('whoever arrives in one turn is begun in it, in order, and all before the first goes on', async () => {
  const told: string[] = []
  const arrive = runInBatches(async (name: string) => {
    told.push(`begins ${name}`)
    await undefined
    told.push(`goes on ${name}`)
  })
  arrive('a')
  arrive('b')
  expect(told).toEqual([])
  await turn()
  expect(told).toEqual(['begins a', 'begins b', 'goes on a', 'goes on b'])
  arrive('c')
  await turn()
  expect(told.slice(4)).toEqual(['begins c', 'goes on c'])
})

test('of a crowd the first are answered before the last are begun, within the same turn', async () => {
  const told: string[] = []
  const arrive = runInBatches(async (index: number) => {
    told.push(`begins ${index}`)
    await undefined
    told.push(`goes on ${index}`)
  })
  for (let index = 0; index < 100; index++) arrive(index)
  await turn()
  expect(told).toHaveLength(200)
  expect(told.filter((line) => line.startsWith('begins'))).toEqual(
    Array.from({ length: 100 }, (_, index) => `begins ${index}`),
  )
  expect(told.indexOf('goes on 0')).toBeLessThan(told.indexOf('begins 99'))
})

test('one that breaks leaves nobody behind', async () => {
  const begun: string[] = []
  const arrive = runInBatches((name: string) => {
    if (name === 'bad') throw new Error('broke')
    begun.push(name)
  })
  const listeners = process.listeners('uncaughtException')
  const broke: string[] = []
  process.removeAllListeners('uncaughtException')
  process.on('uncaughtException', ({ message }) => broke.push(message))
  try {
    for (const name of ['a', 'bad', 'b', 'c']) arrive(name)
    await turn()
    await turn()
  } finally {
    process.removeAllListeners('uncaughtException')
    for (const listener of listeners) process.on('uncaughtException', listener)
  }
  expect({ begun, broke }).toEqual({ begun: ['a', 'b', 'c'], broke: ['broke'] })
})

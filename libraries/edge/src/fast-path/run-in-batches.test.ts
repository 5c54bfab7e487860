import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { runInBatches } from './open-fast-path.ts'

test('items of one turn are started in it, in order, and all before the first continues', async () => {
  const events: string[] = []
  const arrive = runInBatches(async (name: string) => {
    events.push(`starts ${name}`)
    await undefined
    events.push(`continues ${name}`)
  })
  arrive('a')
  arrive('b')
  expect(events).toEqual([])
  await turn()
  expect(events).toEqual(['starts a', 'starts b', 'continues a', 'continues b'])
  arrive('c')
  await turn()
  expect(events.slice(4)).toEqual(['starts c', 'continues c'])
})

test('of a large number the first continue before the last are started, within the same turn', async () => {
  const events: string[] = []
  const arrive = runInBatches(async (index: number) => {
    events.push(`starts ${index}`)
    await undefined
    events.push(`continues ${index}`)
  })
  for (let index = 0; index < 100; index++) arrive(index)
  await turn()
  expect(events).toHaveLength(200)
  expect(events.filter((line) => line.startsWith('starts'))).toEqual(
    Array.from({ length: 100 }, (_, index) => `starts ${index}`),
  )
  expect(events.indexOf('continues 0')).toBeLessThan(events.indexOf('starts 99'))
})

test('an item that throws does not stop the others', async () => {
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

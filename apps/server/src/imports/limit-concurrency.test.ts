import { expect, test } from 'vitest'
import { limitConcurrency } from './prepare-document.ts'

test('so many run at a time, in the order they came, and one that fails gives its place away', async () => {
  const twoAtATime = limitConcurrency(2)
  const started: number[] = []
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>())
  const works = gates.map(({ promise }, index) =>
    twoAtATime(async () => {
      started.push(index)
      await promise
      return index
    }),
  )
  const ended = Promise.allSettled(works)
  await Promise.resolve()
  expect(started).toEqual([0, 1])
  gates[1]?.reject(new Error('no'))
  await works[1]?.catch(() => undefined)
  await Promise.resolve()
  expect(started).toEqual([0, 1, 2])
  for (const { resolve } of gates) resolve()
  expect((await ended).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ])
  expect(started).toEqual([0, 1, 2, 3, 4])
})

import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { limitConcurrency } from './decode-slots.ts'

test('at most two run at once, all of them run, and a failure releases its slot', async () => {
  const limiter = limitConcurrency(2)
  let [running, most] = [0, 0]
  const work = (index: number) => async () => {
    most = Math.max(most, ++running)
    await turn()
    running--
    if (index % 2 === 0) throw new Error('broken')
    return index
  }
  const done = await Promise.allSettled(
    Array.from({ length: 7 }, (_, index) => limiter(work(index))),
  )
  expect([most, done.filter(({ status }) => status === 'fulfilled').length, running]).toEqual([
    2, 3, 0,
  ])
})

import { expect, test } from 'vitest'
import { openInMemory } from './audit/fixtures/sqlite-database.ts'
import { sqlLimits } from './limits.ts'

function openLimits() {
  const database = openInMemory()
  const steps: string[] = []
  const limits = sqlLimits({
    ...database,
    query: () => Promise.reject(new Error('not used')),
    transact: () => Promise.reject(new Error('not used')),
    work: () => () => Promise.resolve(),
    close: () => Promise.resolve(),
    step(step, args) {
      steps.push(step.name)
      return database.step(step, args)
    },
  })
  return { database, limits, steps }
}

const minute = (key: string, max: number) => ({ key, max, windowMs: 60_000 })

test('calls that ask in one turn are counted one after the other in one transaction', async () => {
  const { limits, steps } = openLimits()
  const taken = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      limits.take([minute('all', 5), minute(index % 2 === 0 ? 'even' : 'odd', 2)]),
    ),
  )
  // The third of each kind is refused, and counts in no limit.
  expect(taken.map(({ ok }) => ok)).toEqual([true, true, true, true, ...Array(6).fill(false)])
  expect(steps).toEqual(['limits.take'])
  expect(await limits.take([minute('all', 5)])).toEqual({ ok: true })
  expect(await limits.take([minute('all', 5)])).toMatchObject({ ok: false })
})

test('more than a hundred at once share a few transactions, and none is forgotten', async () => {
  const { limits, steps } = openLimits()
  const asked = Array.from({ length: 250 }, () => limits.take([minute('all', 200)]))
  const taken = await Promise.all(asked)
  expect(taken.filter(({ ok }) => ok)).toHaveLength(200)
  expect(steps).toHaveLength(3)
})

test('each call is told that its transaction has failed', async () => {
  const { database, limits } = openLimits()
  database.failNext('before')
  const asked = [limits.take([minute('a', 1)]), limits.take([minute('b', 1)])]
  for (const one of asked) await expect(one).rejects.toThrow('The disk is full.')
  expect(await limits.take([minute('a', 1)])).toEqual({ ok: true })
})

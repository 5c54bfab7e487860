import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRetryBudget, type RetryBudget } from './providers.ts'

function takeAll(budget: RetryBudget): number {
  let taken = 0
  while (budget.take()) taken++
  return taken
}

test('a few retries are available from the start', () => {
  expect(takeAll(createRetryBudget())).toBe(10)
})

test('a spent budget allows none', () => {
  const budget = createRetryBudget()
  takeAll(budget)
  expect(budget.take()).toBe(false)
})

test('ten calls earn one retry', () => {
  const budget = createRetryBudget()
  takeAll(budget)
  for (let call = 0; call < 10; call++) budget.countCall()
  expect(takeAll(budget)).toBe(1)
})

test('a thousand calls without retries save up no more than the initial budget', () => {
  const budget = createRetryBudget()
  for (let call = 0; call < 1_000; call++) budget.countCall()
  expect(takeAll(budget)).toBe(10)
})

test('when every call fails, retries add a tenth to the load and no more', () => {
  const budget = createRetryBudget()
  let retries = 0
  for (let call = 0; call < 10_000; call++) {
    budget.countCall()
    if (budget.take()) retries++
  }
  expect(retries).toBeGreaterThanOrEqual(999)
  expect(retries).toBeLessThanOrEqual(1_010)
})

test('in any order, there are never more retries than the initial budget and a tenth of the calls', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 500 }), (steps) => {
      const budget = createRetryBudget()
      let calls = 0
      let retries = 0
      for (const isCall of steps) {
        if (isCall) {
          budget.countCall()
          calls++
        } else if (budget.take()) retries++
      }
      expect(retries).toBeLessThanOrEqual(10 + calls / 10)
    }),
  )
})

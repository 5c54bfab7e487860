import { expect, test } from 'vitest'
import { createWorkBudgets } from './work-budgets.ts'

test('a client may work for a quarter of a second at once, then for 50 ms a second', () => {
  let nowMs = 0
  const { charge, waitMs } = createWorkBudgets(() => nowMs)
  for (let part = 0; part < 500; part++) {
    expect(waitMs('greedy')).toBe(0)
    charge('greedy', 0.5)
  }
  charge('greedy', 0.5)
  expect(waitMs('greedy')).toBeCloseTo(10)
  expect(waitMs('ann')).toBe(0)
  nowMs += 10
  expect(waitMs('greedy')).toBe(0)
})

test('long parts cost more than they take, and short ones not less than a fifth of a millisecond', () => {
  const spentAfter = (tookMs: number, times: number): number => {
    const { charge, waitMs } = createWorkBudgets(() => 0)
    for (let part = 0; part < times; part++) charge('ann', tookMs)
    return waitMs('ann')
  }
  expect(spentAfter(5, 5)).toBe(0)
  expect(spentAfter(5, 6)).toBeGreaterThan(0)
  expect(spentAfter(0, 1_250)).toBe(0)
  expect(spentAfter(0, 1_251)).toBeGreaterThan(0)
  // a pause of the whole process is not paid for by one client
  expect(spentAfter(60_000, 2)).toBe(0)
})

test('whatever a client has done, it waits for two seconds at most', () => {
  const { charge, waitMs } = createWorkBudgets(() => 0)
  for (let part = 0; part < 10_000; part++) charge('greedy', 5)
  expect(waitMs('greedy')).toBeCloseTo(2_000)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLatencies } from './latencies.ts'

// Buckets grow by 2^(1/8); a little more for rounding at their borders.
const WIDTH = 2 ** (1 / 8) * 1.000001

function reportOf(durations: readonly number[], budgetMs = 400) {
  const latencies = createLatencies()
  for (const duration of durations) latencies.add('tool', duration, budgetMs, true)
  const report = latencies.report('tool')
  if (report === undefined) throw new Error('Nothing was counted.')
  return report
}

function exact(durations: readonly number[], share: number): number {
  return (
    durations.toSorted((left, right) => left - right)[Math.ceil(durations.length * share) - 1] ??
    Number.NaN
  )
}

test('percentiles are never below the true ones and within 9 % of them', () => {
  const durations = fc.array(fc.double({ min: 0.001, max: 3_600_000, noNaN: true }), {
    minLength: 1,
    maxLength: 300,
  })
  fc.assert(
    fc.property(durations, (list) => {
      const report = reportOf(list)
      for (const [share, reported] of [
        [0.5, report.p50Ms],
        [0.95, report.p95Ms],
        [0.99, report.p99Ms],
      ] as const) {
        expect(reported).toBeGreaterThanOrEqual(exact(list, share) * 0.999999)
        expect(reported).toBeLessThanOrEqual(exact(list, share) * WIDTH)
      }
    }),
  )
})

test('percentiles never cross', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 1e12, noNaN: true }), { minLength: 1 }),
      (list) => {
        const { p50Ms, p95Ms, p99Ms } = reportOf(list)
        expect(p50Ms).toBeLessThanOrEqual(p95Ms)
        expect(p95Ms).toBeLessThanOrEqual(p99Ms)
      },
    ),
  )
})

test('a single call is all of its percentiles', () => {
  const { calls, p50Ms, p99Ms } = reportOf([100])
  expect(calls).toBe(1)
  expect(p50Ms).toBe(p99Ms)
  expect(p50Ms / 100).toBeCloseTo(1, 0)
})

test.each([0, -1, 1e15, Number.MAX_VALUE])(
  'the odd duration %d is counted and stays a number',
  (duration) => {
    const report = reportOf([duration])
    expect(report.calls).toBe(1)
    expect(Number.isFinite(report.p99Ms)).toBe(true)
  },
)

test('failures and calls over the budget are counted', () => {
  const latencies = createLatencies()
  latencies.add('tool', 399, 400, true)
  latencies.add('tool', 400, 400, false)
  latencies.add('tool', 401, 400, true)
  expect(latencies.report('tool')).toMatchObject({
    calls: 3,
    failures: 1,
    overBudget: 1,
    budgetMs: 400,
  })
})

test('each tool is counted by itself', () => {
  const latencies = createLatencies()
  latencies.add('fast', 1, 400, true)
  latencies.add('slow', 1000, 400, true)
  expect(latencies.report('fast')?.overBudget).toBe(0)
  expect(latencies.report('slow')?.overBudget).toBe(1)
})

test.each(['never called', 'constructor', '__proto__'])(
  'a tool called "%s" that was not counted has no report',
  (name) => {
    expect(createLatencies().report(name)).toBeUndefined()
  },
)

import { expect, test } from 'vitest'
import { systemClock } from '../ports/clock.ts'
import { createTimelines, fairShare } from './trace-budget.ts'

/** Lets each tenant make its calls in one second, in turns, and counts those that are traced. */
function runSecond(
  openTimeline: ReturnType<typeof createTimelines>,
  second: number,
  wanted: Readonly<Record<string, number>>,
): Record<string, number> {
  const traced: Record<string, number> = {}
  const longest = Math.max(...Object.values(wanted))
  for (let turn = 0; turn < longest; turn++)
    for (const [tenant, calls] of Object.entries(wanted))
      if (turn < calls && openTimeline(tenant, second * 1_000) !== undefined)
        traced[tenant] = (traced[tenant] ?? 0) + 1
  return traced
}

test('a tenant that is alone has all the traces of a second', () => {
  const openTimeline = createTimelines(systemClock())
  expect(runSecond(openTimeline, 0, { acme: 5_000 })).toEqual({ acme: 100 })
  expect(runSecond(openTimeline, 1, { acme: 5_000 })).toEqual({ acme: 100 })
})

test('a call of a quiet tenant is traced beside a busy one, also when it comes last', () => {
  const openTimeline = createTimelines(systemClock())
  for (let second = 0; second < 5; second++) {
    expect(runSecond(openTimeline, second, { acme: 5_000 }).acme).toBeGreaterThan(98)
    if (second % 2 === 0) expect(openTimeline('globex', second * 1_000 + 999)).toBeDefined()
  }
})

test('what quiet tenants leave over is shared between busy ones', () => {
  const openTimeline = createTimelines(systemClock())
  const wanted = { acme: 5_000, globex: 300, initech: 10 }
  runSecond(openTimeline, 0, wanted)
  expect(runSecond(openTimeline, 1, wanted)).toEqual({ acme: 45, globex: 45, initech: 10 })
  // They have gone: what they had wanted is forgotten with their second.
  runSecond(openTimeline, 2, { acme: 5_000 })
  expect(runSecond(openTimeline, 3, { acme: 5_000 })).toEqual({ acme: 100 })
})

test('the traces of a second have a bound, however many tenants there are', () => {
  const openTimeline = createTimelines(systemClock())
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`tenant-${n}`, 20]))
  for (let second = 0; second < 3; second++) {
    const traced = Object.values(runSecond(openTimeline, second, many))
    expect(traced.reduce((sum, count) => sum + count, 0)).toBe(125)
  }
})

test.each([
  { wanted: [], share: 100 },
  { wanted: [60, 40], share: 100 },
  { wanted: [10_000, 1, 1], share: 98 },
  { wanted: [80, 80, 80], share: 33 },
  { wanted: Array.from({ length: 300 }, () => 7), share: 1 },
])('the fair share of $wanted is $share', ({ wanted, share }) => {
  expect(fairShare(wanted)).toBe(share)
})

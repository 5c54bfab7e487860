import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { computeProgress, type HealthFacts, judgeHealth } from './health.ts'
import { PROJECT_STATES } from './shapes.ts'

const FRESH: HealthFacts = {
  today: '2026-01-15',
  state: 'active',
  createdOn: '2026-01-14',
  targetDay: undefined,
  progress: undefined,
  isProgressGiven: false,
  openTasks: 0,
  doneTasks: 0,
  datedTasks: 0,
  overdueTasks: 0,
  openBlocks: 0,
  oldestBlockDay: undefined,
  blocksEver: 0,
  openRisks: { high: 0, medium: 0, low: 0 },
  risksEver: 0,
  lastActivityDay: undefined,
}
const rawOf = (facts: Partial<HealthFacts>) =>
  Object.fromEntries(
    judgeHealth({ ...FRESH, ...facts }).factors.factors.map(({ id, raw_score }) => [id, raw_score]),
  )
const levelOf = (facts: Partial<HealthFacts>) => judgeHealth({ ...FRESH, ...facts }).level

describe('health', () => {
  test('is unknown without signals', () => {
    expect(judgeHealth(FRESH)).toEqual({
      level: 'unknown',
      factors: { total_score: 0, factors: [] },
      cappedBy: undefined,
    })
  })

  test('is not judged for completed, archived or deleted projects', () => {
    const sick = { overdueTasks: 3, datedTasks: 3, openTasks: 3 }
    expect(PROJECT_STATES.map((state) => levelOf({ ...sick, state }))).toEqual([
      'critical',
      'critical',
      'unknown',
      'unknown',
      'unknown',
    ])
  })

  test('is excellent when everything is in time and active', () => {
    expect(
      levelOf({
        lastActivityDay: '2026-01-15',
        targetDay: '2026-02-14',
        progress: 50,
        isProgressGiven: true,
        openTasks: 2,
        datedTasks: 2,
      }),
    ).toBe('excellent')
  })

  test('compares progress with the target day', () => {
    const half = { createdOn: '2026-01-01', today: '2026-01-16', targetDay: '2026-01-31' }
    expect([50, 40, 20, 0].map((progress) => rawOf({ ...half, progress }).schedule)).toEqual([
      10, 8, 4, 0,
    ])
  })

  test('is bad for a project past its target day, unless it is done', () => {
    const late = { createdOn: '2026-01-01', today: '2026-01-22', targetDay: '2026-01-15' }
    expect([
      rawOf({ ...late, progress: 90 }).schedule,
      rawOf({ ...late, progress: 100 }).schedule,
    ]).toEqual([2, 10])
  })

  test('falls with the share of overdue tasks', () => {
    expect([0, 1, 2].map((overdueTasks) => rawOf({ datedTasks: 2, overdueTasks }).overdue)).toEqual(
      [10, 2.5, 0],
    )
  })

  test('falls with the age of obstacles, and recovers when they are closed', () => {
    const blocked = { openBlocks: 1, blocksEver: 1 }
    expect(rawOf({ ...blocked, oldestBlockDay: '2026-01-15' }).blocked).toBe(5)
    expect(rawOf({ ...blocked, oldestBlockDay: '2026-01-09' }).blocked).toBe(2)
    expect(rawOf({ blocksEver: 1 }).blocked).toBe(10)
  })

  test('falls in a month of inactivity, but not on hold', () => {
    expect(rawOf({ lastActivityDay: '2026-01-12' }).activity).toBe(10)
    expect(rawOf({ lastActivityDay: '2025-12-16' }).activity).toBe(0)
    expect(rawOf({ lastActivityDay: '2025-12-16', state: 'on_hold' })).toEqual({})
  })

  test('a project without any activity is inactive after two weeks', () => {
    expect([levelOf({ createdOn: '2026-01-02' }), levelOf({ createdOn: '2025-12-01' })]).toEqual([
      'unknown',
      'critical',
    ])
  })

  test('is at most good with an obstacle', () => {
    const well = {
      lastActivityDay: FRESH.today,
      targetDay: '2026-06-01',
      progress: 50,
      blocksEver: 1,
    }
    expect([
      levelOf(well),
      levelOf({ ...well, openBlocks: 1, oldestBlockDay: FRESH.today }),
    ]).toEqual(['excellent', 'good'])
  })

  test('is at most warning with an alarming signal', () => {
    const health = judgeHealth({
      ...FRESH,
      lastActivityDay: FRESH.today,
      datedTasks: 10,
      targetDay: '2026-06-01',
      progress: 50,
      openBlocks: 1,
      blocksEver: 1,
      oldestBlockDay: '2026-01-01',
    })
    expect([health.level, health.cappedBy, health.factors.total_score > 6.5]).toEqual([
      'warning',
      'Open obstacles',
      true,
    ])
  })
})

const facts: fc.Arbitrary<HealthFacts> = fc
  .record({
    targetDay: fc.option(fc.constantFrom('2025-12-01', '2026-01-20', '2026-12-01'), {
      nil: undefined,
    }),
    progress: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
    datedTasks: fc.nat(50),
    overdue: fc.double({ min: 0, max: 1, noNaN: true }),
    openBlocks: fc.nat(3),
    high: fc.nat(3),
    lastActivityDay: fc.option(fc.constantFrom('2025-11-01', '2026-01-10', '2026-01-15'), {
      nil: undefined,
    }),
  })
  .map(({ overdue, openBlocks, high, ...given }) => ({
    ...FRESH,
    ...given,
    overdueTasks: Math.floor(overdue * given.datedTasks),
    openBlocks,
    blocksEver: openBlocks,
    oldestBlockDay: openBlocks > 0 ? '2026-01-10' : undefined,
    openRisks: { high, medium: 0, low: 0 },
    risksEver: high,
  }))

describe('for any facts', () => {
  test('the signals add up and their weights sum to 1', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const { factors, level } = judgeHealth(given)
        const sum = factors.factors.reduce(
          (total, one) => total + Math.round(one.weighted_contribution * 1000),
          0,
        )
        expect(sum).toBe(Math.round(factors.total_score * 1000))
        expect(level === 'unknown').toBe(factors.factors.length === 0)
      }),
    )
  })

  test('one more overdue task never makes it healthier', () => {
    fc.assert(
      fc.property(facts, (given) => {
        fc.pre(given.overdueTasks < given.datedTasks)
        const worse = judgeHealth({ ...given, overdueTasks: given.overdueTasks + 1 })
        expect(worse.factors.total_score).toBeLessThanOrEqual(
          judgeHealth(given).factors.total_score,
        )
      }),
    )
  })
})

test('progress is the value that was set, else the share of completed tasks, else unknown', () => {
  expect([
    computeProgress(12, { doneTasks: 1, openTasks: 1 }),
    computeProgress(undefined, { doneTasks: 1, openTasks: 2 }),
    computeProgress(undefined, { doneTasks: 0, openTasks: 0 }),
  ]).toEqual([12, 33.3, undefined])
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { localTimeIn } from '../local-time.ts'
import { type Scorable, type Situation, scoreTask, summarizeReasons } from './score-task.ts'
import { LEVELS } from './task.ts'

const HERE = localTimeIn('Europe/Berlin', Date.parse('2026-01-15T08:00:00Z'))
const level = fc.option(fc.constantFrom(...LEVELS), { nil: undefined })
const minutes = fc.option(fc.integer({ min: 1, max: 1440 }), { nil: undefined })
const place = fc.option(fc.constantFrom('phone', 'home'), { nil: undefined })
const day = fc
  .integer({ min: -400, max: 400 })
  .map((days) => new Date(HERE.now + days * 86_400_000).toISOString().slice(0, 10))

const without = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T

const task: fc.Arbitrary<Scorable> = fc
  .record({
    title: fc.string(),
    priority: level,
    energy: level,
    context: place,
    minutes,
    due: fc.option(
      day.map((one) => ({ day: one })),
      { nil: undefined },
    ),
    deferrals: fc.nat({ max: 50 }),
    createdAt: fc.integer({ min: HERE.now - 4e10, max: HERE.now }),
  })
  .map((one) => without(one) as Scorable)
const situation: fc.Arbitrary<Situation> = fc
  .record({ energy: level, context: place, minutes })
  .map((one) => without({ localTime: HERE, ...one }) as Situation)

test('the factors add up to the score, each contributes score times weight, and the weights sum to 1', () => {
  fc.assert(
    fc.property(task, situation, (one, at) => {
      const { total_score, factors } = scoreTask(one, at)
      const thousandths = (value: number) => Math.round(value * 1000)
      expect(
        factors.reduce((sum, factor) => sum + thousandths(factor.weighted_contribution), 0),
      ).toBe(thousandths(total_score))
      expect(factors.reduce((sum, { weight }) => sum + Math.round(weight * 100), 0)).toBe(100)
      for (const { raw_score, weight, weighted_contribution } of factors) {
        expect(weighted_contribution).toBeCloseTo(raw_score * weight, 9)
        expect(raw_score).toBeGreaterThanOrEqual(0)
        expect(raw_score).toBeLessThanOrEqual(10)
      }
      expect(total_score).toBeGreaterThanOrEqual(0)
      expect(total_score).toBeLessThanOrEqual(10)
    }),
  )
})

test('the sooner it is due, the higher it scores, all else being equal', () => {
  fc.assert(
    fc.property(task, situation, fc.tuple(day, day), (one, at, days) => {
      const [sooner = '', later = ''] = [...days].sort()
      const scoreWith = (due: string) => scoreTask({ ...one, due: { day: due } }, at).total_score
      expect(scoreWith(sooner)).toBeGreaterThanOrEqual(scoreWith(later))
    }),
  )
})

test('the higher its priority, the higher it scores, all else being equal', () => {
  fc.assert(
    fc.property(task, situation, (one, at) => {
      const [high = 0, medium = 0, low = 0] = LEVELS.map(
        (priority) => scoreTask({ ...one, priority }, at).total_score,
      )
      expect(high > medium && medium > low).toBe(true)
    }),
  )
})

test('a reason names the strongest factor', () => {
  const urgent: Scorable = {
    title: 'Pay',
    priority: 'high',
    due: { day: '2026-01-15' },
    deferrals: 0,
    createdAt: HERE.now,
  }
  expect(summarizeReasons(scoreTask(urgent, { localTime: HERE }))).toBe('Due today; priority high.')
  const idle: Scorable = { title: 'Dust', deferrals: 0, createdAt: HERE.now }
  expect(summarizeReasons(scoreTask(idle, { localTime: HERE }))).toBe(
    'Nothing is urgent, and it can be done here and now.',
  )
})

import { addDays } from '@surehand/dates'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { backtestHabit, type HabitFacts, habitFactors, weekdayRates } from './habit-factors.ts'

const TODAY = '2026-03-31'
const FROM = addDays(TODAY, -55)

function facts(
  kept: (day: string, index: number) => boolean,
  given: Partial<HabitFacts> = {},
): HabitFacts {
  const days = Array.from({ length: 56 }, (_, index) => addDays(FROM, index))
  const records = days.filter(kept).map((day) => ({ day, quality: undefined }))
  return {
    id: 'hab_1',
    name: 'Walk',
    frequency: 'daily',
    startedOn: FROM,
    today: TODAY,
    from: FROM,
    records,
    streak: 0,
    longest: 0,
    ...given,
  }
}

const rawOf = (given: HabitFacts) =>
  Object.fromEntries(habitFactors(given).factors.map(({ id, raw_score }) => [id, raw_score]))

describe('the factors of a habit', () => {
  test('are all at their best when it is done every day', () => {
    expect(rawOf(facts(() => true, { streak: 56, longest: 56 }))).toEqual({
      consistency: 10,
      streak: 10,
      trend: 5,
      evenness: 10,
    })
  })

  test('detect a habit that improves and one that declines', () => {
    expect(rawOf(facts((_, index) => index >= 27)).trend).toBe(10)
    expect(rawOf(facts((_, index) => index < 27)).trend).toBe(0)
  })

  test('find the weekday on which it is missed', () => {
    const neverOnFridays = facts((day) => new Date(day).getUTCDay() !== 5)
    expect(weekdayRates(neverOnFridays)[0]).toEqual({ name: 'Friday', chances: 8, rate: 0 })
    expect(rawOf(neverOnFridays).evenness).toBe(0)
  })

  test('leave out quality without ratings', () => {
    expect(rawOf(facts(() => true))).not.toHaveProperty('quality')
  })

  test('name records that can be looked up', () => {
    const given = facts(() => true)
    const days = new Set(given.records.map(({ day }) => `hab_1/${day}`))
    const named = habitFactors(given).factors.flatMap(({ evidence }) => evidence)
    expect(named.length).toBeGreaterThan(0)
    for (const { kind, id } of named)
      expect(kind === 'habit' ? id === 'hab_1' : days.has(id)).toBe(true)
  })

  test('always add up', () => {
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { minLength: 56, maxLength: 56 }),
        fc.constantFrom('daily', 'weekly', 'monthly'),
        (kept, frequency) => {
          const { total_score, factors } = habitFactors(
            facts((_, index) => kept[index] === true, { frequency }),
          )
          expect(
            factors.reduce((sum, one) => sum + Math.round(one.weighted_contribution * 1000), 0),
          ).toBe(Math.round(total_score * 1000))
        },
      ),
    )
  })
})

describe('backtesting a habit', () => {
  test('a habit with a fixed rhythm is always predicted correctly', () => {
    const { tries, hits } = backtestHabit(facts((day) => new Date(day).getUTCDay() !== 5))
    expect([tries, hits]).toEqual([41, 41])
  })

  test('a habit that stopped is predicted wrongly for a while', () => {
    const { tries, hits } = backtestHabit(facts((_, index) => index < 28))
    expect(hits).toBeLessThan(tries)
  })
})

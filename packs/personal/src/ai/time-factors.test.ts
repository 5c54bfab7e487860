import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countKeptPlans, findBestHour, type Session, timeFactors } from './time-factors.ts'

const session = (given: Partial<Session> = {}): Session => ({
  id: 'dw_1',
  subject: 'Writing',
  day: '2026-01-12',
  hour: 9,
  minutes: 60,
  planned: undefined,
  focus: undefined,
  interruptions: undefined,
  isLinked: false,
  ...given,
})
const WEEK = { from: '2026-01-12', to: '2026-01-18' }
const rawOf = (...sessions: readonly Session[]) =>
  Object.fromEntries(
    timeFactors({ ...WEEK, sessions }).factors.map(({ id, raw_score }) => [id, raw_score]),
  )

describe('the factors of time', () => {
  test('are computed only from recorded data', () => {
    expect(rawOf(session())).toEqual({ volume: 0.7, regularity: 2, purpose: 0 })
  })

  test('count two hours a day on five days a week as the maximum', () => {
    const days = ['12', '13', '14', '15', '16', '17', '18'].map((day) =>
      session({
        day: `2026-01-${day}`,
        minutes: 120,
        isLinked: true,
        focus: 5,
        interruptions: 0,
        planned: 120,
      }),
    )
    expect(rawOf(...days)).toEqual({
      volume: 10,
      regularity: 10,
      focus: 10,
      calm: 10,
      plan: 10,
      purpose: 10,
    })
  })

  test('are lowered by interruptions', () => {
    expect(rawOf(session({ interruptions: 3 })).calm).toBe(4)
  })

  test('always add up', () => {
    const some = fc.record({
      minutes: fc.integer({ min: 1, max: 600 }),
      focus: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
      planned: fc.option(fc.integer({ min: 1, max: 600 }), { nil: undefined }),
      interruptions: fc.option(fc.nat(20), { nil: undefined }),
      isLinked: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(some, { minLength: 1, maxLength: 20 }), (sessions) => {
        const { total_score, factors } = timeFactors({ ...WEEK, sessions: sessions.map(session) })
        expect(
          factors.reduce((sum, one) => sum + Math.round(one.weighted_contribution * 1000), 0),
        ).toBe(Math.round(total_score * 1000))
      }),
    )
  })
})

test('a session within a quarter of its planned length went as planned', () => {
  expect(
    countKeptPlans([
      session({ minutes: 45, planned: 60 }),
      session({ minutes: 44, planned: 60 }),
      session(),
    ]),
  ).toEqual({
    tries: 2,
    hits: 1,
  })
})

test('the best hour is the one with the most minutes', () => {
  expect(
    findBestHour([
      session({ hour: 9 }),
      session({ hour: 14, minutes: 70 }),
      session({ hour: 9, minutes: 15 }),
    ]),
  ).toEqual({
    hour: 9,
    minutes: 75,
  })
})

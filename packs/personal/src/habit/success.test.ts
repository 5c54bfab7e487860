import { addDays, type Day } from '@surehand/dates'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildCalendar } from './habit-status.ts'
import { type Frequency, periodOf } from './period.ts'
import { measureSuccess } from './success.ts'

const span = (frequency: Frequency, more: object = {}) => ({
  from: '2026-01-01',
  today: '2026-01-31',
  startedOn: '2026-01-01',
  frequency,
  ...more,
})

describe('success', () => {
  test.each<[string, readonly Day[], object, Frequency, object]>([
    [
      'counts today once it is done',
      ['2026-01-31'],
      { from: '2026-01-30' },
      'daily',
      { done: 1, expected: 2, rate: 0.5 },
    ],
    [
      'leaves today out while it is open',
      ['2026-01-30'],
      { from: '2026-01-30' },
      'daily',
      { done: 1, expected: 1, rate: 1 },
    ],
    [
      'begins with the habit',
      ['2026-01-30'],
      { startedOn: '2026-01-29' },
      'daily',
      { done: 1, expected: 2, rate: 0.5 },
    ],
    [
      'says nothing on the first day',
      [],
      { startedOn: '2026-01-31' },
      'daily',
      { done: 0, expected: 0, rate: undefined },
    ],
    [
      'counts a week once',
      ['2026-01-12', '2026-01-14', '2026-01-20'],
      { from: '2026-01-12' },
      'weekly',
      { done: 2, expected: 2, rate: 1 },
    ],
    [
      'counts the whole month a span begins in',
      ['2025-12-03'],
      { from: '2025-12-20', startedOn: '2025-01-01' },
      'monthly',
      { done: 1, expected: 1, rate: 1 },
    ],
    [
      'does not count what is outside',
      ['2025-12-31', '2026-02-01'],
      { from: '2026-01-30' },
      'daily',
      { done: 0, expected: 1, rate: 0 },
    ],
  ])('%s', (_, days, more, frequency, success) => {
    expect(measureSuccess(days, span(frequency, more))).toEqual(success)
  })

  test('is at most 1, and agrees with counting on a calendar', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: -40, max: 40 })),
        fc.constantFrom<Frequency>('daily', 'weekly', 'monthly'),
        (offsets, frequency) => {
          const days = offsets.map((offset) => addDays('2026-01-31', offset))
          const { done, expected, rate = 0 } = measureSuccess(days, span(frequency))
          const first = periodOf('2026-01-01', frequency).from
          const naive = new Set(
            days
              .filter((day) => day >= first && day <= '2026-01-31')
              .map((day) => periodOf(day, frequency).from),
          )
          expect(done).toBe(naive.size)
          expect(done).toBeLessThanOrEqual(expected)
          expect(rate).toBeLessThanOrEqual(1)
        },
      ),
    )
  })
})

test('a calendar has 84 days in order, each once, and those with a record are done', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 3000 }),
      fc.uniqueArray(fc.integer({ min: 0, max: 120 })),
      (parsedDates, offsets) => {
        const today = addDays('2024-01-01', parsedDates)
        const done = new Map(offsets.map((offset) => [addDays(today, -offset), null]))
        const days = buildCalendar(
          { frequency: 'daily', startedOn: '2020-01-01' },
          done,
          today,
        ).flatMap((week) => week.days)
        expect(days.map(({ date }) => date)).toEqual(
          Array.from({ length: 84 }, (_, index) => addDays(days[0]?.date ?? '', index)),
        )
        for (const { date, state } of days) expect(state === 'done').toBe(done.has(date))
        expect(
          days.filter(({ state }) => state === 'ahead').every(({ date }) => date > today),
        ).toBe(true)
      },
    ),
  )
})

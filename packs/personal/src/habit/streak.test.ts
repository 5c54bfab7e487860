import { addDays, addMonths, type Day, dayOf, dayOfWeek, daysBetween } from '@surehand/dates'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Frequency } from './period.ts'
import { currentStreak, extendRun, NO_RUN, type PlacedDay, runOf } from './streak.ts'

const ZONE = 'Europe/Berlin'
const at = (day: Day, zone = ZONE): PlacedDay => ({ day, zone })
const streak = (days: readonly Day[], today: Day, frequency: Frequency = 'daily') =>
  currentStreak(
    runOf(
      days.map((day) => at(day)),
      frequency,
    ),
    at(today),
    frequency,
  )

describe('a streak', () => {
  test.each<[string, readonly Day[], Day, number]>([
    ['is nothing without records', [], '2026-01-15', 0],
    ['counts from today', ['2026-01-13', '2026-01-14', '2026-01-15'], '2026-01-15', 3],
    ['counts from yesterday while today is open', ['2026-01-13', '2026-01-14'], '2026-01-15', 2],
    ['is over when yesterday was missed', ['2026-01-12', '2026-01-13'], '2026-01-15', 0],
    [
      'begins anew after a gap',
      ['2026-01-10', '2026-01-11', '2026-01-14', '2026-01-15'],
      '2026-01-15',
      2,
    ],
    ['goes on over the end of a year', ['2025-12-30', '2025-12-31', '2026-01-01'], '2026-01-02', 3],
    ['goes on over a leap day', ['2028-02-28', '2028-02-29', '2028-03-01'], '2028-03-01', 3],
    [
      'goes on when the clocks go forward',
      ['2026-03-28', '2026-03-29', '2026-03-30'],
      '2026-03-30',
      3,
    ],
    [
      'goes on when the clocks go back',
      ['2026-10-24', '2026-10-25', '2026-10-26'],
      '2026-10-26',
      3,
    ],
    ['ends though the missed day had but 23 hours', ['2026-03-28', '2026-03-30'], '2026-03-30', 1],
  ])('%s', (_, days, today, length) => {
    expect(streak(days, today)).toBe(length)
  })

  test.each<[string, readonly Day[], Day, number]>([
    [
      'counts weeks from Monday to Sunday',
      ['2025-12-29', '2026-01-11', '2026-01-12'],
      '2026-01-15',
      3,
    ],
    ['lives until the next week is over', ['2026-01-05'], '2026-01-18', 1],
    ['is over when a week was left out', ['2026-01-04'], '2026-01-12', 0],
    ['counts a week once', ['2026-01-12', '2026-01-13', '2026-01-14'], '2026-01-15', 1],
  ])('of a weekly habit %s', (_, days, today, length) => {
    expect(streak(days, today, 'weekly')).toBe(length)
  })

  test.each<[string, readonly Day[], Day, number]>([
    ['counts months', ['2025-11-30', '2025-12-01', '2026-01-31'], '2026-01-31', 3],
    ['lives until the next month is over', ['2025-12-01'], '2026-01-31', 1],
    ['is over when a month was left out', ['2025-12-31'], '2026-02-01', 0],
  ])('of a monthly habit %s', (_, days, today, length) => {
    expect(streak(days, today, 'monthly')).toBe(length)
  })
})

describe('a streak of a traveller', () => {
  test('survives a date that the flight from Honolulu to Auckland skips', () => {
    const run = runOf(
      [at('2026-03-08', 'Pacific/Honolulu'), at('2026-03-09', 'Pacific/Honolulu')],
      'daily',
    )
    const landed = at('2026-03-11', 'Pacific/Auckland')
    expect(currentStreak(run, landed, 'daily')).toBe(2)
    expect(extendRun(run, landed, 'daily').length).toBe(3)
  })

  test('survives a date that occurs twice on the way from Auckland to Honolulu', () => {
    const run = runOf(
      [at('2026-03-10', 'Pacific/Auckland'), at('2026-03-11', 'Pacific/Auckland')],
      'daily',
    )
    expect(currentStreak(run, at('2026-03-10', 'Pacific/Honolulu'), 'daily')).toBe(2)
  })

  test('does not survive a real day, though its clocks were changed', () => {
    const run = runOf([at('2026-03-09', 'Europe/Berlin')], 'daily')
    expect(currentStreak(run, at('2026-03-11', 'Asia/Tokyo'), 'daily')).toBe(0)
  })

  // A journey around the world, also across the date line.
  const ZONES = [
    'Pacific/Honolulu',
    'America/Los_Angeles',
    'Europe/Berlin',
    'Asia/Tokyo',
    'Pacific/Auckland',
  ]
  const HOUR = 3_600_000

  test('never ends for a person who does it on every day of which they live at least half', () => {
    const journey = fc.array(
      fc.record({
        stayHours: fc.integer({ min: 72, max: 24 * 9 }),
        zone: fc.constantFrom(...ZONES),
      }),
      {
        minLength: 2,
        maxLength: 8,
      },
    )
    fc.assert(
      fc.property(journey, fc.integer({ min: 0, max: 365 * 24 }), (legs, startHour) => {
        const lived = hoursLived(legs, Date.UTC(2026, 0, 1) + startHour * HOUR)
        // The first and the last date may be cut short by the ends of the journey.
        const days = [...lived].slice(1, -1).filter(([, { hours }]) => hours >= 12)
        const records = days
          .map(([day, { zone }]) => at(day, zone))
          .sort((one, other) => (one.day < other.day ? -1 : 1))
        expect(runOf(records, 'daily').length).toBe(records.length)
      }),
    )
  })

  function hoursLived(
    legs: readonly { readonly stayHours: number; readonly zone: string }[],
    startMs: number,
  ) {
    const lived = new Map<Day, { hours: number; zone: string }>()
    let now = startMs
    for (const { stayHours, zone } of legs)
      for (let hour = 0; hour < stayHours; hour++, now += HOUR) {
        const day = dayOf(now, zone)
        lived.set(day, { hours: (lived.get(day)?.hours ?? 0) + 1, zone })
      }
    return lived
  }
})

describe('compared with a naive model', () => {
  const START = '2026-01-01'
  const someDays = fc
    .uniqueArray(fc.integer({ min: 0, max: 500 }), { maxLength: 300 })
    .map((offsets) =>
      offsets
        .toSorted((one, other) => one - other)
        .map((offset) => addDays(START, offset))
        .map((day) => at(day)),
    )
  const frequency = fc.constantFrom<Frequency>('daily', 'weekly', 'monthly')

  /** Counts back from today period by period: a slow reference implementation. */
  function naive(
    records: readonly PlacedDay[],
    today: Day,
    every: Frequency,
  ): { readonly current: number; readonly best: number } {
    const keyOf = (day: Day) => {
      if (every === 'daily') return day
      return every === 'monthly' ? day.slice(0, 7) : addDays(day, 1 - dayOfWeek(day))
    }
    const back = (day: Day) => {
      if (every === 'daily') return addDays(day, -1)
      return every === 'weekly' ? addDays(day, -7) : addMonths(`${day.slice(0, 7)}-15`, -1)
    }
    const done = new Set(records.map(({ day }) => keyOf(day)))
    const lengthTo = (day: Day) => {
      let length = 0
      for (let at = day; done.has(keyOf(at)); at = back(at)) length++
      return length
    }
    const best = Math.max(0, ...records.map(({ day }) => lengthTo(day)))
    return { current: lengthTo(today) || lengthTo(back(today)), best }
  }

  test('current and longest are the same', () => {
    fc.assert(
      fc.property(someDays, frequency, fc.integer({ min: 0, max: 40 }), (records, every, later) => {
        const today = addDays(records.at(-1)?.day ?? START, later)
        const run = runOf(records, every)
        expect({ current: currentStreak(run, at(today), every), best: run.best }).toEqual(
          naive(records, today, every),
        )
      }),
    )
  })

  test('a run extended record by record is the run of all records', () => {
    fc.assert(
      fc.property(someDays, frequency, (records, every) => {
        const grown = records.reduce((run, record) => extendRun(run, record, every), NO_RUN)
        expect(grown).toEqual(runOf(records, every))
        expect(grown.best).toBeGreaterThanOrEqual(grown.length)
        expect(grown.length).toBeLessThanOrEqual(records.length)
      }),
    )
  })

  test('without travel is the same in any zone', () => {
    fc.assert(
      fc.property(
        someDays,
        fc.constantFrom('Pacific/Kiritimati', 'America/Sao_Paulo', 'Africa/Cairo', 'UTC'),
        (records, zone) => {
          const today = records.at(-1)?.day ?? START
          const moved = records.map(({ day }) => at(day, zone))
          expect(currentStreak(runOf(moved, 'daily'), at(today, zone), 'daily')).toBe(
            streak(daysOf(records), today),
          )
        },
      ),
    )
  })

  const daysOf = (records: readonly PlacedDay[]) => records.map(({ day }) => day)

  test('a streak is never longer than the days it spans', () => {
    fc.assert(
      fc.property(someDays, (records) => {
        const [first, last] = [records[0], records.at(-1)]
        if (first === undefined || last === undefined) return
        expect(runOf(records, 'daily').best).toBeLessThanOrEqual(
          daysBetween(first.day, last.day) + 1,
        )
      }),
    )
  })
})

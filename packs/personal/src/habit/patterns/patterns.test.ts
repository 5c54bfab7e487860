import { addDays, type Day, dayOfWeek, startOfDay } from '@surehand/dates'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { correlate, findCorrelations } from '../habit-analyze-patterns.ts'
import type { DoneDay } from './records.ts'
import { extremeTimes, timeShares } from './times.ts'
import { findTrend } from './trend.ts'
import { extremeWeekdays, weekdayShares } from './weekdays.ts'

const TODAY = '2026-03-31'
const FROM = '2026-01-01'
const HOUR = 3_600_000

function daysFrom(from: Day, to: Day, isDone: (day: Day) => boolean): Day[] {
  const days: Day[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) if (isDone(day)) days.push(day)
  return days
}

describe('weekdays', () => {
  test('are counted as a calendar shows them', () => {
    const days = daysFrom(FROM, TODAY, (day) => dayOfWeek(day) <= 5)
    const shares = weekdayShares(days, { from: FROM, today: TODAY })
    expect(shares.map(({ rate }) => rate)).toEqual([1, 1, 1, 1, 1, 0, 0])
    expect(shares.reduce((sum, { opportunities }) => sum + opportunities, 0)).toBe(90)
  })

  test('are counted day by day, for any start and end', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 20 }),
        fc.integer({ min: 0, max: 40 }),
        fc.boolean(),
        (start, length, isTodayDone) => {
          const [from, today] = [addDays(FROM, start), addDays(FROM, start + length)]
          const counted = daysFrom(from, isTodayDone ? today : addDays(today, -1), () => true)
          const naive = [1, 2, 3, 4, 5, 6, 7].map(
            (weekday) => counted.filter((day) => dayOfWeek(day) === weekday).length,
          )
          const shares = weekdayShares(isTodayDone ? [today] : [], { from, today })
          expect(shares.map(({ opportunities }) => opportunities)).toEqual(naive)
        },
      ),
    )
  })

  test('give the best and the worst when they differ clearly', () => {
    const days = daysFrom(FROM, TODAY, (day) => dayOfWeek(day) !== 7)
    expect(extremeWeekdays(weekdayShares(days, { from: FROM, today: TODAY }))).toEqual({
      best: 'monday',
      worst: 'sunday',
    })
  })

  test('give nothing when all are alike, or there are too few of each', () => {
    expect(extremeWeekdays(weekdayShares([], { from: FROM, today: TODAY }))).toEqual({})
    expect(
      extremeWeekdays(weekdayShares(['2026-03-30'], { from: '2026-03-20', today: TODAY })),
    ).toEqual({})
  })

  test('never have more completions than days, and lose none', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 89 })), (offsets) => {
        const shares = weekdayShares(
          offsets.map((offset) => addDays(FROM, offset)),
          { from: FROM, today: TODAY },
        )
        expect(shares.reduce((sum, { completions }) => sum + completions, 0)).toBe(offsets.length)
        for (const { completions, opportunities } of shares)
          expect(completions).toBeLessThanOrEqual(opportunities)
      }),
    )
  })
})

describe('times of day', () => {
  const at = (
    day: Day,
    hour: number,
    quality: number | null = null,
    zone = 'Europe/Berlin',
  ): DoneDay => ({
    day,
    zone,
    recordedAt: startOfDay(day, zone) + hour * HOUR,
    quality,
  })
  const many = (hour: number, quality: number | null, count = 4) =>
    Array.from({ length: count }, (_, index) => at(addDays('2026-02-02', index), hour, quality))

  test('are those of the zone where it was done', () => {
    expect(
      timeShares([
        at('2026-02-02', 7, null, 'Asia/Tokyo'),
        at('2026-02-03', 7, null, 'America/New_York'),
      ]),
    ).toEqual([{ part: 'morning', completions: 2 }])
  })

  test('are unknown for records written on a later day', () => {
    expect(
      timeShares([
        { ...at('2026-02-02', 7), recordedAt: startOfDay('2026-02-04', 'Europe/Berlin') },
      ]),
    ).toEqual([])
  })

  test('are judged by quality when it differs clearly', () => {
    expect(extremeTimes(timeShares([...many(7, 5), ...many(19, 2, 9)]))).toEqual({
      best: 'morning',
      worst: 'evening',
    })
  })

  test('give the most frequent one when quality does not differ', () => {
    expect(extremeTimes(timeShares([...many(7, null), ...many(19, null, 9)]))).toEqual({
      best: 'evening',
    })
    expect(extremeTimes(timeShares(many(7, null, 2)))).toEqual({})
  })

  test('fall into parts that leave no hour out', () => {
    for (let hour = 0; hour < 24; hour++)
      expect(timeShares([at('2026-02-02', hour)])).toHaveLength(1)
  })
})

describe('a trend', () => {
  const chances = (earlier: number, later: number) =>
    [...Array(10)]
      .map((_, index) => index < earlier)
      .concat([...Array(10)].map((_, index) => index < later))

  test.each([
    [3, 8, 'improving'],
    [8, 3, 'declining'],
    [6, 6, 'steady'],
  ] as const)('from %s in ten to %s in ten is %s', (earlier, later, direction) => {
    expect(findTrend(chances(earlier, later), 'daily')).toEqual({
      direction,
      earlier_rate: earlier / 10,
      later_rate: later / 10,
    })
  })

  test('needs at least two weeks', () => {
    expect(findTrend(Array(13).fill(true), 'daily')).toBeUndefined()
    expect(findTrend(Array(8).fill(true), 'weekly')).toMatchObject({ direction: 'steady' })
  })
})

describe('a correlation', () => {
  const span = { from: FROM, to: '2026-03-30' }
  const among = daysFrom(FROM, '2026-03-30', () => true)
  const every = (count: number) =>
    new Set(daysFrom(FROM, TODAY, (day) => Number(day.slice(-2)) % count === 0))

  test('of habits done on the same days is 1, on different days −1', () => {
    const one = every(2)
    const other = new Set(daysFrom(FROM, TODAY, (day) => !one.has(day)))
    expect(correlate(one, one, among)?.coefficient).toBeCloseTo(1)
    expect(correlate(one, other, among)?.coefficient).toBeCloseTo(-1)
  })

  test('needs thirty days, and enough days of each kind', () => {
    expect(correlate(every(2), every(2), among.slice(0, 29))).toBeUndefined()
    expect(correlate(every(1), every(2), among)).toBeUndefined()
  })

  test('is not reported for unrelated habits', () => {
    expect(correlate(every(2), every(3), among)).toBeUndefined()
  })

  test('starts when both habits exist', () => {
    const late = { id: 'b', name: 'Late', startedOn: '2026-03-10', days: every(2) }
    expect(
      findCorrelations([{ id: 'a', name: 'Early', startedOn: FROM, days: every(2) }, late], span),
    ).toEqual([])
  })

  test('is symmetric and within its bounds', () => {
    const someDays = fc
      .uniqueArray(fc.integer({ min: 0, max: 88 }))
      .map((offsets) => new Set(offsets.map((offset) => addDays(FROM, offset))))
    fc.assert(
      fc.property(someDays, someDays, (one, other) => {
        const found = correlate(one, other, among)
        expect(correlate(other, one, among)?.coefficient ?? 0).toBeCloseTo(found?.coefficient ?? 0)
        expect(Math.abs(found?.coefficient ?? 0)).toBeLessThanOrEqual(1)
      }),
    )
  })
})

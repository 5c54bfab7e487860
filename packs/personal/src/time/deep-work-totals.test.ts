import { addDays, dayOf, startOfDay } from '@surehand/dates'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ODD_ZONES } from '../task/fixtures/zones.ts'
import { addUp, sliceSession } from './deep-work-totals.ts'
import { minutesOf, type Session } from './session.ts'

const MINUTE_MS = 60_000
const zone = fc.constantFrom(...ODD_ZONES)
// Around clock changes in many zones, and around the day that Samoa skipped.
const start = fc
  .constantFrom(
    '2026-03-28',
    '2026-10-24',
    '2026-03-07',
    '2026-04-04',
    '2011-12-29',
    '2018-11-03',
    '2026-06-15',
  )
  .chain((day) =>
    fc
      .integer({ min: 0, max: 3 * 1440 * MINUTE_MS })
      .map((offset) => Date.parse(`${day}T00:00:00Z`) + offset),
  )
const session: fc.Arbitrary<Session> = fc
  .record({
    startedAt: start,
    length: fc.integer({ min: 0, max: 24 * 60 * MINUTE_MS }),
    focus: fc.integer({ min: 1, max: 5 }),
    project: fc.constantFrom('A', 'B'),
  })
  .map(({ length, ...rest }) => ({
    id: 'dw',
    subject: 'x',
    stoppedAt: rest.startedAt + length,
    ...rest,
  }))

test('the slices of a session add up to its minutes, each within one hour of one day', () => {
  fc.assert(
    fc.property(session, zone, (one, where) => {
      const slices = sliceSession(one, { now: 0, zone: where })
      expect(slices.reduce((sum, { minutes }) => sum + minutes, 0)).toBe(minutesOf(one, 0))
      for (const { minutes } of slices) expect(minutes > 0 && minutes <= 60).toBe(true)
    }),
    { numRuns: 300 },
  )
})

test('days, weeks, projects and hours each add up to the minutes of all sessions', () => {
  fc.assert(
    fc.property(fc.array(session, { maxLength: 4 }), zone, (sessions, where) => {
      const at = { now: 0, zone: where }
      const all = sessions.reduce((sum, one) => sum + minutesOf(one, 0), 0)
      const first =
        sessions.map(({ startedAt }) => dayOf(startedAt, where)).sort()[0] ?? '2026-01-01'
      const last =
        sessions
          .map(({ stoppedAt }) => dayOf(stoppedAt ?? 0, where))
          .sort()
          .at(-1) ?? first
      const totals = addUp(sessions, { from: first, to: last }, at)
      const sum = (values: Iterable<number>) =>
        [...values].reduce((total, value) => total + value, 0)
      expect([
        totals.minutes,
        sum(totals.byDay.values()),
        sum(totals.byWeek.values()),
        sum(totals.byProject.values()),
        sum(totals.byHour.map(({ minutes }) => minutes)),
      ]).toEqual([all, all, all, all, all])
    }),
    { numRuns: 30 },
  )
})

test('no day has more minutes of a session than its length', () => {
  fc.assert(
    fc.property(session, zone, (one, where) => {
      const day = dayOf(one.startedAt, where)
      const { minutes } = addUp([one], { from: day, to: day }, { now: 0, zone: where })
      const length = (startOfDay(addDays(day, 1), where) - startOfDay(day, where)) / MINUTE_MS
      expect(minutes).toBeLessThanOrEqual(length)
    }),
  )
})

test('the night the clocks go back has an hour more, the night they go forward an hour less', () => {
  const night = (from: string, to: string): Session => ({
    id: 'dw',
    subject: 'x',
    startedAt: Date.parse(from),
    stoppedAt: Date.parse(to),
  })
  const at = { now: 0, zone: 'Europe/Berlin' }
  const back = addUp(
    [night('2026-10-24T22:00:00+02:00', '2026-10-25T04:00:00+01:00')],
    { from: '2026-10-24', to: '2026-10-25' },
    at,
  )
  expect([...back.byDay]).toEqual([
    ['2026-10-24', 120],
    ['2026-10-25', 300],
  ])
  expect(back.byHour[2]?.minutes).toBe(120)
  const forward = addUp(
    [night('2026-03-28T22:00:00+01:00', '2026-03-29T04:00:00+02:00')],
    { from: '2026-03-28', to: '2026-03-29' },
    at,
  )
  expect([...forward.byDay]).toEqual([
    ['2026-03-28', 120],
    ['2026-03-29', 180],
  ])
  expect(forward.byHour[2]?.minutes).toBe(0)
})

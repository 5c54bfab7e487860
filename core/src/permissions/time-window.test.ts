import { describe, expect, test } from 'vitest'
import { readCondition, type TimeWindow } from '../define/condition.ts'
import { formatInZone, isOpenAt, nextOpening, wallMinute } from './time-window.ts'

const MINUTE = 60_000
const DAY = 1440 * MINUTE

function hours(start: string, end: string, days?: readonly (string | number)[]): TimeWindow {
  const read = readCondition({
    type: 'time_restriction',
    parameters: { start, end, ...(days === undefined ? {} : { days }) },
  })
  if (read.type !== 'time_restriction') throw new Error('not a window')
  return read.window
}
const isOpen = (window: TimeWindow, instant: string, zone: string) =>
  isOpenAt(window, wallMinute(Date.parse(instant), zone))

describe('a window', () => {
  const office = hours('09:00', '17:00', ['mon', 'tue', 'wed', 'thu', 'fri'])

  test.each([
    ['2026-03-02T08:59:59.999Z', false],
    ['2026-03-02T09:00:00Z', true],
    ['2026-03-02T16:59:59.999Z', true],
    ['2026-03-02T17:00:00Z', false],
    ['2026-03-01T12:00:00Z', false],
  ])('is open from its start up to, but not at, its end: %s %s', (instant, open) => {
    expect(isOpen(office, instant, 'UTC')).toBe(open)
  })

  test.each([
    ['2026-03-06T21:59:00Z', false],
    ['2026-03-06T22:00:00Z', true],
    ['2026-03-07T05:59:00Z', true],
    ['2026-03-07T06:00:00Z', false],
    ['2026-03-07T23:00:00Z', false],
    ['2026-03-06T03:00:00Z', false],
  ])('over midnight belongs to the day it began on: Friday 22 to 6, at %s %s', (instant, open) => {
    expect(isOpen(hours('22:00', '06:00', ['fri']), instant, 'UTC')).toBe(open)
  })

  test('from Saturday night reaches into Sunday, and from Sunday night into Monday', () => {
    expect(isOpen(hours('22:00', '06:00', ['sat']), '2026-03-08T01:00Z', 'UTC')).toBe(true)
    expect(isOpen(hours('22:00', '06:00', ['sun']), '2026-03-09T01:00Z', 'UTC')).toBe(true)
    expect(isOpen(hours('22:00', '06:00', ['sun']), '2026-03-08T01:00Z', 'UTC')).toBe(false)
  })

  test('may end at 24:00, and a whole day is 00:00 to 24:00', () => {
    expect(isOpen(hours('18:00', '24:00'), '2026-03-02T23:59:59Z', 'UTC')).toBe(true)
    expect(isOpen(hours('18:00', '24:00'), '2026-03-03T00:00:00Z', 'UTC')).toBe(false)
    expect(isOpen(hours('00:00', '24:00', ['mon']), '2026-03-02T00:00:00Z', 'UTC')).toBe(true)
    expect(isOpen(hours('00:00', '24:00', ['mon']), '2026-03-03T00:00:00Z', 'UTC')).toBe(false)
  })

  test('takes days by number, with Sunday as 0 or 7', () => {
    expect(hours('09:00', '17:00', [0, 6]).days).toEqual(new Set([0, 6]))
    expect(hours('09:00', '17:00', [7, 'sat']).days).toEqual(new Set([0, 6]))
  })
})

describe.each([
  // zone, a night on which the clocks go forward, a night on which they go back
  ['Europe/Berlin', '2026-03-28T12:00Z', '2026-10-24T12:00Z'],
  ['America/New_York', '2026-03-07T17:00Z', '2026-10-31T16:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T02:00Z', '2026-04-04T02:00Z'],
])('in %s', (zone, beforeForward, beforeBack) => {
  const windows = [
    hours('02:00', '02:30'),
    hours('02:10', '03:30'),
    hours('22:00', '02:15'),
    hours('01:45', '24:00', [0]),
    hours('03:00', '02:59'),
  ]

  test.each([beforeForward, beforeBack])(
    'the wall clock of every minute is the one that Intl shows, around %s',
    (from) => {
      const format = new Intl.DateTimeFormat('sv-SE', {
        timeZone: zone,
        dateStyle: 'short',
        timeStyle: 'short',
      })
      for (let minute = 0; minute < 1440; minute++) {
        const instant = Date.parse(from) + minute * MINUTE
        const shown = format.format(instant).replace(' ', 'T')
        expect(formatInZone(instant, zone).slice(0, 16)).toBe(shown)
      }
    },
  )

  test.each([beforeForward, beforeBack])(
    'the next opening is the first open minute, around %s',
    (from) => {
      for (const window of windows) {
        for (let step = 0; step < 1440; step += 7) {
          const instant = Date.parse(from) + step * MINUTE + 31_000
          let minute = Math.ceil(instant / MINUTE) * MINUTE
          while (!isOpenAt(window, wallMinute(minute, zone))) minute += MINUTE
          expect(
            nextOpening([window], instant, () => zone),
            new Date(instant).toISOString(),
          ).toBe(minute)
        }
      }
    },
  )
})

describe('when the clocks change', () => {
  test('a window in the hour that is left out is not open that night', () => {
    const gap = hours('02:00', '03:00')
    const night = Date.parse('2026-03-29T00:00+01:00')
    const open = Array.from({ length: 240 }, (_, minute) =>
      isOpenAt(gap, wallMinute(night + minute * MINUTE, 'Europe/Berlin')),
    )
    expect(open.includes(true)).toBe(false)
    expect(nextOpening([gap], night, () => 'Europe/Berlin')).toBe(
      Date.parse('2026-03-30T02:00+02:00'),
    )
  })

  test('a window in the hour that comes twice is open twice', () => {
    const twice = hours('02:00', '02:30')
    const night = Date.parse('2026-10-25T00:00+02:00')
    const open = Array.from({ length: 300 }, (_, minute) =>
      isOpenAt(twice, wallMinute(night + minute * MINUTE, 'Europe/Berlin')),
    )
    expect(open.filter(Boolean)).toHaveLength(60)
  })

  test('a window whose start is left out opens when the clocks have jumped', () => {
    const from = Date.parse('2026-03-29T01:00+01:00')
    expect(nextOpening([hours('02:30', '04:00')], from, () => 'Europe/Berlin')).toBe(
      Date.parse('2026-03-29T03:00+02:00'),
    )
  })

  test('a window a week that falls into the hour left out opens a week later', () => {
    const sunday = hours('02:00', '02:30', ['sun'])
    const from = Date.parse('2026-03-22T12:00+01:00')
    expect(nextOpening([sunday], from, () => 'Europe/Berlin')).toBe(
      Date.parse('2026-04-05T02:00+02:00'),
    )
  })
})

describe('the next opening', () => {
  test('of several windows is when all are open, each in its own zone', () => {
    const morning: TimeWindow = { ...hours('09:00', '18:00'), timeZone: 'Europe/Berlin' }
    const work: TimeWindow = { ...hours('09:00', '17:00'), timeZone: 'America/New_York' }
    const at = nextOpening(
      [morning, work],
      Date.parse('2026-03-02T00:00Z'),
      ({ timeZone = 'UTC' }) => timeZone,
    )
    expect(at).toBe(Date.parse('2026-03-02T14:00Z'))
  })

  test('is now, where it is open now', () => {
    expect(nextOpening([hours('00:00', '24:00')], 5 * DAY, () => 'UTC')).toBe(5 * DAY)
    expect(nextOpening([], 5 * DAY, () => 'UTC')).toBe(5 * DAY)
  })

  test('is unknown where there is none within two weeks', () => {
    const never = [hours('09:00', '10:00'), hours('11:00', '12:00')]
    expect(nextOpening(never, 0, () => 'UTC')).toBeUndefined()
  })
})

test('an instant is shown with the offset it has there', () => {
  expect(formatInZone(Date.parse('2026-07-01T12:00Z'), 'Asia/Kolkata')).toBe(
    '2026-07-01T17:30+05:30',
  )
  expect(formatInZone(Date.parse('2026-01-01T02:30Z'), 'America/St_Johns')).toBe(
    '2025-12-31T23:00-03:30',
  )
  expect(formatInZone(0, 'UTC')).toBe('1970-01-01T00:00+00:00')
})

test('many zones are not kept for ever, and are still right', () => {
  const spellDay = (index: number) =>
    [...'Europe/Berlin']
      .map((letter, at) => ((index >> at) & 1 ? letter.toUpperCase() : letter.toLowerCase()))
      .join('')
  for (let index = 0; index < 1200; index++) expect(wallMinute(0, spellDay(index))).toBe(60)
})

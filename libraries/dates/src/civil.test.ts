import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addDays,
  addMonths,
  atTime,
  dayOf,
  dayOfWeek,
  daysBetween,
  instantText,
  isDay,
  isTimeZone,
  offsetText,
  startOfDay,
  timeOf,
  weekOf,
} from './civil.ts'

const ZONES = [...Intl.supportedValuesOf('timeZone'), 'UTC', 'Etc/GMT+12', 'Etc/GMT-14']
const zone = fc.constantFrom(...ZONES)
const day = fc
  .date({
    min: new Date('1990-01-01T00:00:00Z'),
    max: new Date('2040-12-31T00:00:00Z'),
    noInvalidDate: true,
  })
  .map((date) => date.toISOString().slice(0, 10))
const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'))

// Samoa and Kwajalein left out a whole day when they changed sides
const isMissing = (one: string, timeZone: string) =>
  (one === '2011-12-30' && /Apia|Fakaofo/.test(timeZone)) ||
  (/Kwajalein/.test(timeZone) && one === '1993-08-21') ||
  (/Enderbury|Kanton|Kiritimati/.test(timeZone) && /^1994-12-31|1995-01-01/.test(one))

describe('a day', () => {
  test('begins on itself, in every zone', () => {
    fc.assert(
      fc.property(day, zone, (one, timeZone) => {
        fc.pre(!isMissing(one, timeZone))
        expect(dayOf(startOfDay(one, timeZone), timeZone)).toBe(one)
        expect(dayOf(startOfDay(one, timeZone) - 1, timeZone)).not.toBe(one)
      }),
    )
  })

  test('stays itself at any time of it, and the time too unless the clocks skip it', () => {
    fc.assert(
      fc.property(day, time, zone, (one, at, timeZone) => {
        fc.pre(!isMissing(one, timeZone))
        const atMs = atTime(one, at, timeZone)
        const shown = timeOf(atMs, timeZone)
        // a skipped time moves forward, by no more than the hours that were skipped
        if (shown !== at) expect(atMs).toBeGreaterThan(startOfDay(one, timeZone) - 1)
        else expect(dayOf(atMs, timeZone)).toBe(one)
        expect(instantText(atMs, timeZone).slice(0, 16)).toBe(`${dayOf(atMs, timeZone)}T${shown}`)
        expect(Date.parse(instantText(atMs, timeZone))).toBe(atMs)
      }),
    )
  })

  test('of the week and of the ISO week is what the calendar says', () => {
    expect([dayOfWeek('2026-11-16'), dayOfWeek('2026-11-22')]).toEqual([1, 7])
    expect([weekOf('2026-12-31'), weekOf('2027-01-01'), weekOf('2027-01-04')]).toEqual([
      { year: 2026, week: 53 },
      { year: 2026, week: 53 },
      { year: 2027, week: 1 },
    ])
  })

  test('is moved by days and months, and a short month ends it', () => {
    expect([
      addDays('2028-02-28', 1),
      addDays('2026-01-01', -1),
      addMonths('2026-01-31', 1),
      daysBetween('2026-03-01', '2026-02-28'),
    ]).toEqual(['2028-02-29', '2025-12-31', '2026-02-28', -1])
    expect([
      isDay('2026-02-29'),
      isDay('2028-02-29'),
      isDay('2026-2-1'),
      isDay('tomorrow'),
    ]).toEqual([false, true, false, false])
  })
})

describe('when clocks change', () => {
  test('a time that is skipped moves forward', () => {
    expect(instantText(atTime('2026-03-29', '02:30', 'Europe/Berlin'), 'Europe/Berlin')).toBe(
      '2026-03-29T03:30:00+02:00',
    )
    expect(instantText(atTime('2026-03-08', '02:15', 'America/New_York'), 'America/New_York')).toBe(
      '2026-03-08T03:15:00-04:00',
    )
  })

  test('of a time that comes twice it is the earlier', () => {
    expect(instantText(atTime('2026-10-25', '02:30', 'Europe/Berlin'), 'Europe/Berlin')).toBe(
      '2026-10-25T02:30:00+02:00',
    )
  })

  test('at midnight, the day begins with the first time there is', () => {
    expect(instantText(startOfDay('2026-09-06', 'America/Santiago'), 'America/Santiago')).toBe(
      '2026-09-06T01:00:00-03:00',
    )
  })
})

test('a zone is known by its name, and says its offset of that day', () => {
  expect([
    isTimeZone('Europe/Berlin'),
    isTimeZone('Berlin'),
    isTimeZone(''),
    isTimeZone('+05:30'),
  ]).toEqual([true, false, false, false])
  expect([
    offsetText(Date.parse('2026-07-01T00:00:00Z'), 'Europe/Berlin'),
    offsetText(Date.parse('2026-12-01T00:00:00Z'), 'Asia/Kathmandu'),
  ]).toEqual(['+02:00', '+05:45'])
})

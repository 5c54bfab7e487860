import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, atTime, startOfDay } from './civil.ts'
import { occurrences } from './when.ts'

const from = (day: string, timeZone = 'Europe/Berlin') => startOfDay(day, timeZone)

describe('a series', () => {
  const weekly = {
    start: '2026-10-13T19:00',
    timeZone: 'Europe/Berlin',
    isAllDay: false,
    rrules: ['RRULE:FREQ=WEEKLY;BYDAY=TU'],
  }

  test('stays at its hour when the clocks change', () => {
    const found = occurrences(weekly, [from('2026-10-19'), from('2026-11-04')], 10)
    expect(found.map(({ day, time, atMs }) => [day, time, new Date(atMs).toISOString()])).toEqual([
      ['2026-10-20', '19:00', '2026-10-20T17:00:00.000Z'],
      ['2026-10-27', '19:00', '2026-10-27T18:00:00.000Z'],
      ['2026-11-03', '19:00', '2026-11-03T18:00:00.000Z'],
    ])
  })

  test('begins with its start, and leaves out what was called off', () => {
    const found = occurrences(
      { ...weekly, exdates: ['2026-10-20T19:00'] },
      [0, from('2026-11-04')],
      10,
    )
    expect(found.map(({ day }) => day)).toEqual(['2026-10-13', '2026-10-27', '2026-11-03'])
  })

  test('is cut at the most that are wanted, and at the window', () => {
    expect(
      occurrences(weekly, [from('2026-10-13'), from('2036-01-01')], 3).map(({ day }) => day),
    ).toEqual(['2026-10-13', '2026-10-20', '2026-10-27'])
    expect(occurrences(weekly, [from('2026-10-14'), from('2026-10-20')], 3)).toEqual([])
  })

  test('counts and ends as its rule says, wherever one looks', () => {
    const rrules = ['FREQ=MONTHLY;BYDAY=1MO;COUNT=3']
    const found = occurrences(
      { start: '2026-12-07T18:00', timeZone: 'America/New_York', isAllDay: false, rrules },
      [from('2027-01-01'), from('2030-01-01')],
      10,
    )
    expect(found.map(({ day }) => day)).toEqual(['2027-01-04', '2027-02-01'])
  })

  test('that would go on every second ends with the most that are wanted', () => {
    const hostile = {
      start: '2026-01-01T00:00',
      timeZone: 'UTC',
      isAllDay: false,
      rrules: ['FREQ=SECONDLY'],
    }
    expect(
      occurrences(
        hostile,
        [Date.parse('2026-01-01T00:00:00Z'), Date.parse('2126-01-01T00:00:00Z')],
        5,
      ),
    ).toHaveLength(5)
  })

  test('of whole days has the day too whose midnight is skipped', () => {
    const [zone, start] = ['America/Santiago', '2026-09-05']
    const found = occurrences(
      { start, timeZone: zone, isAllDay: true, rrules: ['FREQ=DAILY'] },
      [from(start, zone), from('2026-09-08', zone)],
      10,
    )
    expect(found.map(({ day }) => day)).toEqual(['2026-09-05', '2026-09-06', '2026-09-07'])
  })

  test('of whole days never shifts by one, in any zone', () => {
    const zone = fc.constantFrom(
      ...Intl.supportedValuesOf('timeZone').filter((name) => !/Apia|Fakaofo/.test(name)),
    )
    fc.assert(
      fc.property(zone, fc.integer({ min: 0, max: 1500 }), (timeZone, offset) => {
        const start = addDays('2024-01-01', offset)
        const found = occurrences(
          { start, timeZone, isAllDay: true, rrules: ['FREQ=DAILY'] },
          [startOfDay(start, timeZone), startOfDay(addDays(start, 4), timeZone)],
          10,
        )
        expect(found).toEqual(
          [0, 1, 2, 3].map((days) => ({
            day: addDays(start, days),
            atMs: startOfDay(addDays(start, days), timeZone),
          })),
        )
      }),
      { numRuns: 60 },
    )
  })
})

test('a daily series at a time that exists keeps it, in any zone', () => {
  const zone = fc.constantFrom(
    ...Intl.supportedValuesOf('timeZone').filter((name) => !/Apia|Fakaofo/.test(name)),
  )
  fc.assert(
    fc.property(zone, fc.integer({ min: 0, max: 1000 }), (timeZone, offset) => {
      const start = addDays('2025-01-01', offset)
      const found = occurrences(
        { start: `${start}T12:00`, timeZone, isAllDay: false, rrules: ['FREQ=DAILY;COUNT=3'] },
        [startOfDay(start, timeZone), startOfDay(addDays(start, 5), timeZone)],
        10,
      )
      expect(found.map(({ atMs }) => atMs)).toEqual(
        [0, 1, 2].map((days) => atTime(addDays(start, days), '12:00', timeZone)),
      )
    }),
    { numRuns: 60 },
  )
})

import { toEpochMs } from '@surehand/icalendar'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newEntry } from './new-entry.ts'

const at = (dateTime: string, timeZone = 'Europe/Berlin') => ({ dateTime, timeZone })
const entry = (start: string, end?: string) =>
  newEntry({ summary: 'x', start: at(start), ...(end === undefined ? {} : { end: at(end) }) })

describe('a new entry', () => {
  test('takes an hour without an end, also in the hour that clocks repeat', () => {
    for (const start of ['2026-11-20T19:30:00', '2026-10-25T02:30:00', '2026-03-29T01:30:00']) {
      const made = entry(start)
      expect(toEpochMs(made.end, 'UTC') - toEpochMs(made.start, 'UTC'), start).toBe(3_600_000)
    }
  })

  test('on a date takes that day, also if its end is the same date', () => {
    const day = {
      start: { kind: 'date', date: '2026-11-20' },
      end: { kind: 'date', date: '2026-11-21' },
    }
    expect(entry('2026-11-20')).toMatchObject(day)
    expect(entry('2026-11-20', '2026-11-20')).toMatchObject(day)
  })

  test('reads a time without an offset in its zone, and converts one with an offset to it', () => {
    expect(entry('2026-11-20T19:30').start).toEqual({
      kind: 'zoned',
      local: '2026-11-20T19:30:00',
      timeZone: 'Europe/Berlin',
    })
    expect(entry('2026-11-20T19:30:00Z').start).toEqual({
      kind: 'zoned',
      local: '2026-11-20T20:30:00',
      timeZone: 'Europe/Berlin',
    })
  })

  test('moves a local time that does not exist forward by the clock change', () => {
    expect(entry('2026-03-29T02:30:00').start).toMatchObject({ local: '2026-03-29T03:30:00' })
  })

  test('distinguishes the second of two equal local hours from the first', () => {
    expect(toEpochMs(entry('2026-10-25T02:30:00+01:00').start, 'UTC')).toBe(
      Date.parse('2026-10-25T02:30:00+01:00'),
    )
    expect(toEpochMs(entry('2026-10-25T02:30:00+02:00').start, 'UTC')).toBe(
      Date.parse('2026-10-25T02:30:00+02:00'),
    )
  })

  test.each([
    ['ends before it begins', '2026-11-20T19:30:00', '2026-11-20T18:30:00'],
    ['begins on a day and ends at a time', '2026-11-20', '2026-11-21T10:00:00'],
    ['begins at a time and ends on a day', '2026-11-20T19:30:00', '2026-11-21'],
  ])('is refused when it %s', (_, start, end) => {
    expect(() => entry(start, end)).toThrowError(
      expect.objectContaining({ code: 'TOOL_INVALID_FIELD_VALUE' }),
    )
  })

  test.each([
    ['more times than two thousand', ['RRULE:FREQ=DAILY;COUNT=2001']],
    ['two rules', ['RRULE:FREQ=DAILY;COUNT=2', 'RRULE:FREQ=WEEKLY;COUNT=2']],
  ])('is refused with %s', (_, recurrence) => {
    const form = { summary: 'x', start: at('2026-11-20T19:30:00') }
    expect(() => newEntry({ ...form, recurrence })).toThrowError(
      expect.objectContaining({
        code: 'TOOL_INVALID_FIELD_VALUE',
        details: { field: 'event.recurrence' },
      }),
    )
    expect(
      newEntry({ ...form, recurrence: ['RRULE:FREQ=DAILY;COUNT=2000'] }).recurrence?.rules,
    ).toEqual(['FREQ=DAILY;COUNT=2000'])
  })

  test('an instant is the same instant in every zone', () => {
    const zones = [
      'Etc/GMT+12',
      'America/St_Johns',
      'Europe/Berlin',
      'Africa/Casablanca',
      'Australia/Lord_Howe',
      'Pacific/Kiritimati',
    ]
    const instants = fc.date({
      min: new Date('2000-01-01'),
      max: new Date('2060-01-01'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(instants, fc.constantFrom(...zones), (instant, timeZone) => {
        const dateTime = `${instant.toISOString().slice(0, 19)}Z`
        expect(
          toEpochMs(newEntry({ summary: 'x', start: at(dateTime, timeZone) }).start, 'UTC'),
        ).toBe(Date.parse(dateTime))
      }),
    )
  })
})

import { describe, expect, test } from 'vitest'
import type { CalendarEvent } from './calendar-item.ts'
import { readCalendar } from './read-calendar.ts'

const file = (...lines: string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//x//y//EN', ...lines, 'END:VCALENDAR', ''].join(
    '\r\n',
  )
const event = (...lines: string[]): string =>
  file('BEGIN:VEVENT', 'UID:1', 'DTSTAMP:20260101T000000Z', ...lines, 'END:VEVENT')
const only = (text: string): CalendarEvent => readCalendar(text)[0] as CalendarEvent

describe('an iCalendar file', () => {
  test('gives its events with their texts unescaped and unfolded', () => {
    const text = event(
      'DTSTART:20261115T180000Z',
      'SUMMARY:Tea\\, cake\\; and',
      '  more',
      'DESCRIPTION:one\\ntwo',
      'LOCATION:Caf\u00e9',
      'STATUS:CONFIRMED',
    )
    expect(readCalendar(text)).toEqual([
      {
        kind: 'event',
        uid: '1',
        summary: 'Tea, cake; and more',
        description: 'one\ntwo',
        location: 'Caf\u00e9',
        status: 'confirmed',
        start: { kind: 'zoned', local: '2026-11-15T18:00:00', timeZone: 'UTC' },
      },
    ])
  })

  test('keeps days as days, zones as zones and floating times floating', () => {
    expect(only(event('DTSTART;VALUE=DATE:20261115', 'DTEND;VALUE=DATE:20261117'))).toMatchObject({
      start: { kind: 'date', date: '2026-11-15' },
      end: { kind: 'date', date: '2026-11-17' },
    })
    expect(only(event('DTSTART;TZID=Europe/Berlin:20261115T180000')).start).toEqual({
      kind: 'zoned',
      local: '2026-11-15T18:00:00',
      timeZone: 'Europe/Berlin',
    })
    expect(only(event('DTSTART:20261115T180000')).start).toEqual({
      kind: 'floating',
      local: '2026-11-15T18:00:00',
    })
  })

  test('reads a DURATION as the end, its days as days of the calendar', () => {
    const { end } = only(event('DTSTART;TZID=Europe/Berlin:20260328T180000', 'DURATION:P1DT2H'))
    expect(end).toEqual({ kind: 'zoned', local: '2026-03-29T20:00:00', timeZone: 'Europe/Berlin' })
  })

  test('gives rules, further times, exceptions and the occurrence that an override stands for', () => {
    const text = file(
      ...[
        'BEGIN:VEVENT',
        'UID:1',
        'DTSTART;TZID=Europe/Berlin:20260105T090000',
        'RRULE:FREQ=WEEKLY;UNTIL=20260401T120000Z;BYDAY=MO,WE',
      ],
      ...[
        'RDATE;TZID=Europe/Berlin:20260110T090000',
        'EXDATE;TZID=Europe/Berlin:20260107T090000,20260112T090000',
        'END:VEVENT',
      ],
      ...[
        'BEGIN:VEVENT',
        'UID:1',
        'RECURRENCE-ID;TZID=Europe/Berlin:20260114T090000',
        'DTSTART;TZID=Europe/Berlin:20260114T110000',
        'END:VEVENT',
      ],
    )
    const at = (local: string) => ({ kind: 'zoned', local, timeZone: 'Europe/Berlin' })
    expect(readCalendar(text)).toEqual([
      {
        kind: 'event',
        uid: '1',
        start: at('2026-01-05T09:00:00'),
        recurrence: {
          rules: ['FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20260401T120000Z'],
          additions: [at('2026-01-10T09:00:00')],
          exceptions: [at('2026-01-07T09:00:00'), at('2026-01-12T09:00:00')],
        },
      },
      {
        kind: 'event',
        uid: '1',
        recurrenceId: at('2026-01-14T09:00:00'),
        start: at('2026-01-14T11:00:00'),
      },
    ])
  })

  test('gives tasks', () => {
    const text = file(
      'BEGIN:VTODO',
      'UID:2',
      'SUMMARY:Buy milk',
      'DUE;VALUE=DATE:20261116',
      'STATUS:NEEDS-ACTION',
      'PRIORITY:1',
      'PERCENT-COMPLETE:20',
      'END:VTODO',
    )
    expect(readCalendar(text)).toEqual([
      {
        kind: 'task',
        uid: '2',
        summary: 'Buy milk',
        due: { kind: 'date', date: '2026-11-16' },
        status: 'needs-action',
        priority: 1,
        percentComplete: 20,
      },
    ])
  })

  test.each([
    ['/freeassociation.sourceforge.net/Europe/Berlin', [], 'Europe/Berlin'],
    [
      '/mozilla.org/20070129_1/America/Argentina/Buenos_Aires',
      [],
      'America/Argentina/Buenos_Aires',
    ],
    [
      'W. Europe Standard Time',
      [
        ...[
          'BEGIN:STANDARD',
          'DTSTART:16010101T030000',
          'TZOFFSETFROM:+0200',
          'TZOFFSETTO:+0100',
          'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10',
          'END:STANDARD',
        ],
        ...[
          'BEGIN:DAYLIGHT',
          'DTSTART:16010101T020000',
          'TZOFFSETFROM:+0100',
          'TZOFFSETTO:+0200',
          'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3',
          'END:DAYLIGHT',
        ],
      ],
      'Europe/Berlin',
    ],
    [
      'India Standard Time',
      [
        'BEGIN:STANDARD',
        'DTSTART:16010101T000000',
        'TZOFFSETFROM:+0530',
        'TZOFFSETTO:+0530',
        'END:STANDARD',
      ],
      'Asia/Kolkata',
    ],
    [
      'Eastern Standard Time',
      [
        ...[
          'BEGIN:STANDARD',
          'DTSTART:16010101T020000',
          'TZOFFSETFROM:-0400',
          'TZOFFSETTO:-0500',
          'RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=11',
          'END:STANDARD',
        ],
        ...[
          'BEGIN:DAYLIGHT',
          'DTSTART:16010101T020000',
          'TZOFFSETFROM:-0500',
          'TZOFFSETTO:-0400',
          'RRULE:FREQ=YEARLY;BYDAY=2SU;BYMONTH=3',
          'END:DAYLIGHT',
        ],
      ],
      'America/New_York',
    ],
  ])('knows the zone %s by its name or by its clocks', (name, definition, zone) => {
    const given =
      definition.length === 0
        ? []
        : ['BEGIN:VTIMEZONE', `TZID:${name}`, ...definition, 'END:VTIMEZONE']
    const text = file(
      ...given,
      'BEGIN:VEVENT',
      'UID:1',
      `DTSTART;TZID=${name}:20261115T180000`,
      'END:VEVENT',
    )
    expect(only(text).start).toEqual({
      kind: 'zoned',
      local: '2026-11-15T18:00:00',
      timeZone: zone,
    })
  })

  test.each([
    ['nothing', ''],
    ['no calendar', 'hello'],
    ['a web page', '<!doctype html><html></html>'],
    ['a calendar that does not end', 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\n'],
    ['an event without a start', event('SUMMARY:x')],
    ['an event without a UID', file('BEGIN:VEVENT', 'DTSTART:20261115T180000Z', 'END:VEVENT')],
    ['the thirtieth of February', event('DTSTART;VALUE=DATE:20260230')],
    ['a time that is none', event('DTSTART:20261115T250000Z')],
    ['a rule that is none', event('DTSTART:20261115T180000Z', 'RRULE:FREQ=OFTEN')],
    ['a rule for every second', event('DTSTART:20261115T180000Z', 'RRULE:FREQ=SECONDLY')],
    ['a duration that is none', event('DTSTART:20261115T180000Z', 'DURATION:soon')],
    ['boxes in boxes', file(`${'BEGIN:X\r\n'.repeat(1000)}${'END:X\r\n'.repeat(1000)}`.trim())],
    [
      'a hundred thousand events',
      file(
        'BEGIN:VEVENT\r\nUID:1\r\nDTSTART:20261115T180000Z\r\nEND:VEVENT\r\n'
          .repeat(100_000)
          .trim(),
      ),
    ],
    [
      'eleven million characters',
      event('DTSTART:20261115T180000Z', `SUMMARY:${'x'.repeat(11_000_000)}`),
    ],
    [
      'ten thousand exceptions',
      event(
        'DTSTART:20261115T180000Z',
        'RRULE:FREQ=DAILY',
        `EXDATE:${Array(10_000).fill('20261115T180000Z').join()}`,
      ),
    ],
  ])('refuses %s with a code of the table', (_, text) => {
    expect(() => readCalendar(text)).toThrowError(
      expect.objectContaining({ code: 'TOOL_INVALID_FIELD_VALUE' }),
    )
  })

  test('does not run the rules of a zone that is made to hurt', () => {
    const hostile = [
      'BEGIN:VTIMEZONE',
      'TZID:Hell',
      'BEGIN:STANDARD',
      'DTSTART:19700101T000000',
      'TZOFFSETFROM:+0100',
      'TZOFFSETTO:+0200',
      'RRULE:FREQ=SECONDLY',
      'END:STANDARD',
    ]
    const text = file(
      ...hostile,
      'END:VTIMEZONE',
      'BEGIN:VEVENT',
      'UID:1',
      'DTSTART;TZID=Hell:20261115T180000',
      'END:VEVENT',
    )
    expect(only(text).start).toMatchObject({ local: '2026-11-15T18:00:00' })
  })
})

import fc from 'fast-check'
import ICAL from 'ical.js'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import type { CalendarEvent, CalendarTime } from './calendar-item.ts'
import { occurrences } from './occurrences.ts'

const berlin = (local: string): CalendarTime => ({
  kind: 'zoned',
  local,
  timeZone: 'Europe/Berlin',
})
const year = (of: number, timeZone = 'UTC') => ({
  fromMs: Date.UTC(of, 0, 1),
  toMs: Date.UTC(of + 1, 0, 1),
  timeZone,
})
const weekly = (
  parts: Partial<CalendarEvent> = {},
  rule = 'FREQ=WEEKLY;COUNT=4',
): CalendarEvent => ({
  kind: 'event',
  uid: '1',
  start: berlin('2026-03-16T09:00:00'),
  end: berlin('2026-03-16T10:00:00'),
  recurrence: { rules: [rule], additions: [], exceptions: [] },
  ...parts,
})
const starts = (events: readonly CalendarEvent[], window = year(2026)): string[] =>
  occurrences(events, window).map(({ startMs }) => new Date(startMs).toISOString().slice(0, 16))

describe('what happens in a window', () => {
  test('stays at its clock time when the clocks change', () => {
    expect(starts([weekly()])).toEqual([
      '2026-03-16T08:00',
      '2026-03-23T08:00',
      '2026-03-30T07:00',
      '2026-04-06T07:00',
    ])
  })

  test('leaves out what was taken out, by instant, by day and in another zone', () => {
    const exceptions: CalendarTime[] = [
      berlin('2026-03-23T09:00:00'),
      { kind: 'date', date: '2026-03-30' },
      { kind: 'zoned', local: '2026-04-06T07:00:00', timeZone: 'UTC' },
    ]
    const series = weekly({
      recurrence: { rules: ['FREQ=WEEKLY;COUNT=4'], additions: [], exceptions },
    })
    expect(starts([series])).toEqual(['2026-03-16T08:00'])
  })

  test('has an override instead of what it stands for, wherever it was moved to', () => {
    const { recurrence: _, ...single } = weekly()
    const moved = {
      ...single,
      recurrenceId: berlin('2026-03-23T09:00:00'),
      start: berlin('2026-05-01T12:00:00'),
      end: berlin('2026-05-01T13:00:00'),
    }
    expect(starts([weekly(), moved])).toEqual([
      '2026-03-16T08:00',
      '2026-03-30T07:00',
      '2026-04-06T07:00',
      '2026-05-01T10:00',
    ])
  })

  test('has further times, each once', () => {
    const additions = [berlin('2026-03-16T09:00:00'), berlin('2026-03-17T09:00:00')]
    const series = weekly({
      recurrence: { rules: ['FREQ=WEEKLY;COUNT=2'], additions, exceptions: [] },
    })
    expect(starts([series])).toEqual(['2026-03-16T08:00', '2026-03-17T08:00', '2026-03-23T08:00'])
  })

  test('has the first time of a series though its rule would not', () => {
    expect(starts([weekly({}, 'FREQ=WEEKLY;BYDAY=TU;COUNT=2')])).toEqual([
      '2026-03-16T08:00',
      '2026-03-17T08:00',
      '2026-03-24T08:00',
    ])
  })

  test('leaves out times that do not exist, and they do not count', () => {
    const series = weekly(
      { start: berlin('2026-03-28T02:30:00'), end: berlin('2026-03-28T02:45:00') },
      'FREQ=DAILY;COUNT=3',
    )
    expect(starts([series])).toEqual(['2026-03-28T01:30', '2026-03-30T00:30', '2026-03-31T00:30'])
  })

  test('has what has begun before the window and not what ends as it begins', () => {
    const window = {
      fromMs: Date.UTC(2026, 2, 16, 8, 30),
      toMs: Date.UTC(2026, 2, 16, 9),
      timeZone: 'UTC',
    }
    expect(starts([weekly()], window)).toHaveLength(1)
    expect(
      starts([weekly()], {
        ...window,
        fromMs: Date.UTC(2026, 2, 16, 9),
        toMs: Date.UTC(2026, 2, 16, 12),
      }),
    ).toEqual([])
    expect(
      starts([weekly()], {
        ...window,
        fromMs: Date.UTC(2026, 2, 16, 7),
        toMs: Date.UTC(2026, 2, 16, 8),
      }),
    ).toEqual([])
  })

  test('has no cancelled event and no cancelled time of a series', () => {
    const { recurrence: _, ...single } = weekly()
    const off: CalendarEvent = {
      ...single,
      recurrenceId: berlin('2026-03-16T09:00:00'),
      status: 'cancelled',
    }
    expect(starts([weekly(), off])).toEqual([
      '2026-03-23T08:00',
      '2026-03-30T07:00',
      '2026-04-06T07:00',
    ])
    expect(starts([weekly({ status: 'cancelled' })])).toEqual([])
  })

  test('an hour that begins in the hour which comes twice is an hour long', () => {
    const series = weekly(
      { start: berlin('2026-10-24T02:30:00'), end: berlin('2026-10-24T03:30:00') },
      'FREQ=DAILY;COUNT=3',
    )
    expect(occurrences([series], year(2026)).map(({ startMs, endMs }) => endMs - startMs)).toEqual([
      3_600_000, 3_600_000, 3_600_000,
    ])
  })

  test('a series of twenty thousand days is looked through', () => {
    const old = weekly(
      { start: berlin('1990-01-01T09:00:00'), end: berlin('1990-01-01T10:00:00') },
      'FREQ=DAILY;COUNT=20000',
    )
    expect(
      starts([old], { fromMs: Date.UTC(2026, 6, 1), toMs: Date.UTC(2026, 6, 2), timeZone: 'UTC' }),
    ).toEqual(['2026-07-01T07:00'])
  })

  test('a rule that is made to hurt ends with an error of the table', () => {
    const all = (to: number) => Array.from({ length: to }, (_, index) => index).join()
    const rule = `FREQ=DAILY;BYHOUR=${all(24)};BYMINUTE=${all(60)};BYSECOND=${all(60)}`
    expect(() => occurrences([weekly({}, rule)], year(2026))).toThrowError(
      expect.objectContaining({ code: 'TOOL_DATA_CORRUPTION' }),
    )
  })

  test('a series of many times a day is refused before it is worked out, and one of every hour is not', () => {
    const month = {
      fromMs: Date.parse('2026-11-01T00:00:00Z'),
      toMs: Date.parse('2026-12-01T00:00:00Z'),
      timeZone: 'Europe/Berlin',
    }
    const of = (rule: string) =>
      occurrences([weekly({ start: berlin('2026-10-01T00:00:00') }, rule)], month)
    const hours = Array.from({ length: 24 }, (_, index) => index).join()
    const refused = expect.objectContaining({ code: 'TOOL_DATA_CORRUPTION' })
    expect(of(`FREQ=DAILY;BYHOUR=${hours}`)).toHaveLength(720)
    for (const rule of [`FREQ=DAILY;BYHOUR=${hours};BYMINUTE=0,30`, 'FREQ=HOURLY;BYMINUTE=0,30'])
      expect(() => of(rule)).toThrowError(refused)
  })

  test.each([
    ['FREQ=DAILY;BYHOUR=8,14,20;UNTIL=20200201T000000Z', 0],
    ['FREQ=WEEKLY;BYDAY=MO;BYHOUR=9,13,17;BYMINUTE=0', 52 * 3],
    ['FREQ=DAILY;INTERVAL=2;BYHOUR=9,13,17', 183 * 3],
    ['FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=1;BYHOUR=9,12,15', 3],
    ['FREQ=YEARLY;BYMONTH=1,7;BYHOUR=9,12,15', 6],
    ['FREQ=HOURLY;INTERVAL=4;BYDAY=MO', 52 * 6],
  ])('a few times of a few days are looked through for a whole year: %s', (rule, count) => {
    const start = { kind: 'floating', local: '2020-01-01T09:00:00' } as const
    expect(occurrences([weekly({ start, end: start }, rule)], year(2026))).toHaveLength(count)
  })

  test('what is bearable by itself is refused when there is too much of it', () => {
    const countOccurrences = (index: number) =>
      weekly(
        { uid: String(index), start: berlin('2000-01-03T09:00:00') },
        'FREQ=DAILY;BYDAY=MO,TU,WE;COUNT=900',
      )
    const read = (series: number) =>
      occurrences(
        Array.from({ length: series }, (_, index) => countOccurrences(index)),
        year(1999),
      )
    expect(read(2)).toEqual([])
    const late = (series: number) =>
      occurrences(
        Array.from({ length: series }, (_, index) => countOccurrences(index)),
        year(2026),
      )
    expect(() => late(50)).toThrowError(expect.objectContaining({ code: 'TOOL_DATA_CORRUPTION' }))
  })

  test('a series of any length that goes on evenly is reckoned, not counted', () => {
    const even = Array.from({ length: 30 }, (_, index) =>
      weekly(
        {
          uid: String(index),
          start: berlin('1960-01-01T09:00:00'),
          end: berlin('1960-01-01T10:00:00'),
        },
        'FREQ=DAILY;COUNT=90000',
      ),
    )
    const day = { fromMs: Date.UTC(2026, 6, 1), toMs: Date.UTC(2026, 6, 2), timeZone: 'UTC' }
    expect(starts(even, day)).toEqual(even.map(() => '2026-07-01T07:00'))
    const last = weekly(
      { start: { kind: 'date', date: '2026-01-01' }, end: { kind: 'date', date: '2026-01-02' } },
      'FREQ=DAILY;INTERVAL=2;COUNT=3',
    )
    expect(starts([last])).toEqual(['2026-01-01T00:00', '2026-01-03T00:00', '2026-01-05T00:00'])
  })

  test('a day is the same day wherever it is read', () => {
    const zones = [
      'Etc/GMT+12',
      'Pacific/Honolulu',
      'America/St_Johns',
      'UTC',
      'Europe/Berlin',
      'Asia/Kathmandu',
      'Pacific/Chatham',
      'Pacific/Kiritimati',
    ]
    const dates = fc
      .date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10))
    fc.assert(
      fc.property(dates, fc.constantFrom(...zones), fc.boolean(), (date, timeZone, isSeries) => {
        const recurrence = { rules: ['FREQ=WEEKLY'], additions: [], exceptions: [] }
        const day: CalendarEvent = {
          kind: 'event',
          uid: '1',
          start: { kind: 'date', date },
          ...(isSeries ? { recurrence } : {}),
        }
        const start = Temporal.PlainDate.from(date).toZonedDateTime(timeZone)
        const window = {
          fromMs: start.epochMilliseconds,
          toMs: start.add({ days: 1 }).epochMilliseconds,
          timeZone,
        }
        expect(occurrences([day], window).map((one) => one.start)).toEqual([{ kind: 'date', date }])
      }),
    )
  })

  test('agrees with ical.js on rules without zones', () => {
    const rules = fc.constantFrom(
      ...[
        'FREQ=DAILY;INTERVAL=3',
        'FREQ=WEEKLY;BYDAY=MO,WE,FR',
        'FREQ=WEEKLY;INTERVAL=2;BYDAY=SU;WKST=MO',
        'FREQ=MONTHLY;BYMONTHDAY=31',
      ],
      ...[
        'FREQ=MONTHLY;BYDAY=2TU',
        'FREQ=MONTHLY;BYDAY=-1FR',
        'FREQ=YEARLY',
        'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29',
        'FREQ=MONTHLY;BYDAY=MO,TU,WE;BYSETPOS=-1',
      ],
    )
    fc.assert(
      fc.property(rules, fc.integer({ min: 0, max: 2000 }), (rule, offset) => {
        const first = new Date(Date.UTC(2020, 0, 1, 10) + offset * 86_400_000)
          .toISOString()
          .slice(0, 19)
        const iterator = ICAL.Recur.fromString(rule).iterator(ICAL.Time.fromDateTimeString(first))
        const theirs = new Set([first])
        // ical.js does not count the first time unless the rule has it
        for (
          let next = iterator.next();
          next !== null && next !== undefined && next.year < 2029;
          next = iterator.next()
        )
          theirs.add(next.toString())
        const event = weekly(
          { start: { kind: 'floating', local: first }, end: { kind: 'floating', local: first } },
          rule,
        )
        const ours = occurrences([event], {
          fromMs: 0,
          toMs: Date.UTC(2029, 0, 1),
          timeZone: 'UTC',
        })
        expect(ours.map(({ start }) => (start.kind === 'date' ? '' : start.local))).toEqual(
          [...theirs].sort(),
        )
      }),
      { numRuns: 60 },
    )
  })
})

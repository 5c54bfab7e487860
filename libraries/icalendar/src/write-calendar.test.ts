import fc from 'fast-check'
import ICAL from 'ical.js'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import type { CalendarEvent, CalendarItem } from './calendar-item.ts'
import { readCalendar } from './read-calendar.ts'
import { writeCalendar } from './write-calendar.ts'

const OPTIONS = { prodId: '-//Surehand//test//EN', now: Date.UTC(2026, 10, 15) }
const writeItems = (...items: CalendarItem[]): string => writeCalendar(items, OPTIONS)
const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'Africa/Casablanca',
  'America/Sao_Paulo',
  'Asia/Tehran',
]

describe('a written calendar', () => {
  test('is read back as it was', () => {
    fc.assert(
      fc.property(fc.array(anItem(), { minLength: 1, maxLength: 5 }), (items) => {
        const events = items.filter(({ kind }) => kind === 'event')
        expect(readCalendar(writeItems(...items))).toEqual([
          ...events,
          ...items.filter(({ kind }) => kind === 'task'),
        ])
      }),
    )
  })

  test('has no line over 75 octets and no bare end of a line', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (summary) => {
        const lines = writeItems(anEvent({ summary })).split('\r\n')
        expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75)
        expect(lines.every((line) => !/[\r\n]/.test(line))).toBe(true)
      }),
    )
  })

  test.each([
    'x\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:evil',
    'x\nATTACH:file',
    'x\rBEGIN:VALARM',
    'x\u2028END:VCALENDAR',
    '\u0000\u000b',
  ])('lets no text break out of its property: %j', (text) => {
    const items = readCalendar(
      writeItems(
        anEvent({
          summary: text,
          description: text,
          location: text,
          uid: text.replaceAll('\u0000', 'u'),
          url: `https://x/${text}`,
        }),
      ),
    )
    expect(items).toHaveLength(1)
    const [component] = new ICAL.Component(
      ICAL.parse(writeItems(anEvent({ summary: text, url: `https://x/${text}` }))),
    ).getAllSubcomponents('vevent')
    expect(component?.getAllProperties().map(({ name }) => name)).toEqual([
      'uid',
      'dtstamp',
      'dtstart',
      'summary',
      'url',
    ])
  })

  test.each(ZONES)('defines %s so that a reader who knows no zones has its clocks', (timeZone) => {
    const calendar = new ICAL.Component(
      ICAL.parse(
        writeItems(anEvent({ start: { kind: 'zoned', local: '2026-01-05T09:00:00', timeZone } })),
      ),
    )
    const definition = calendar.getFirstSubcomponent('vtimezone')
    const zone = new ICAL.Timezone({ component: definition, tzid: timeZone })
    let day = Temporal.PlainDateTime.from('2026-01-05T12:00')
    while (day.year < 2032) {
      const time = new ICAL.Time(
        {
          year: day.year,
          month: day.month,
          day: day.day,
          hour: 12,
          minute: 0,
          second: 0,
          isDate: false,
        },
        zone,
      )
      expect(time.utcOffset(), `${timeZone} ${day}`).toBe(
        day.toZonedDateTime(timeZone).offsetNanoseconds / 1e9,
      )
      day = day.add({ days: 5 })
    }
  })

  test('writes a yearly clock change as a rule, so that it holds for every year', () => {
    const text = writeItems(
      anEvent({
        start: { kind: 'zoned', local: '2026-01-05T09:00:00', timeZone: 'Europe/Berlin' },
      }),
    )
    expect(text).toContain('RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU')
    expect(text).toContain('RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU')
  })
})

function anEvent(parts: Partial<CalendarEvent>): CalendarEvent {
  return {
    kind: 'event',
    uid: '1',
    start: { kind: 'zoned', local: '2026-11-15T18:00:00', timeZone: 'UTC' },
    ...parts,
  }
}

function anItem(): fc.Arbitrary<CalendarItem> {
  // what a file can't hold (controls, an empty text) is no part of what comes back
  const text = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 120 })
    .map((value) => `a${value.replace(/[\p{Cc}\u2028\u2029]/gu, '\n')}`)
  const local = fc
    .date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
    .map((date) => `${date.toISOString().slice(0, 17)}00`)
  const time = fc.oneof(
    local.map((value) => ({ kind: 'date' as const, date: value.slice(0, 10) })),
    fc.record({
      kind: fc.constant('zoned' as const),
      local,
      timeZone: fc.constantFrom('UTC', ...ZONES),
    }),
    fc.record({ kind: fc.constant('floating' as const), local }),
  )
  const recurrence = fc.record({
    rules: fc.uniqueArray(
      fc.constantFrom(
        'FREQ=DAILY;COUNT=3',
        'FREQ=WEEKLY;BYDAY=MO,TU',
        'FREQ=MONTHLY;BYMONTHDAY=-1',
      ),
      { minLength: 1 },
    ),
    additions: fc.array(time, { maxLength: 2 }),
    exceptions: fc.array(time, { maxLength: 2 }),
  })
  const common = {
    uid: fc.uuid(),
    summary: text,
    description: text,
    location: text,
    recurrence,
    recurrenceId: time,
    sequence: fc.nat(),
  }
  const requiredKeys = ['kind', 'uid', 'start'] as const
  return fc.oneof(
    fc.record(
      { ...common, kind: fc.constant('event' as const), start: time, end: time },
      { requiredKeys: [...requiredKeys] },
    ),
    fc.record(
      { ...common, kind: fc.constant('task' as const), start: time, due: time },
      { requiredKeys: [...requiredKeys] },
    ),
  )
}

import { addDays, dayOf, startOfDay, timeOf } from '@surehand/dates'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { localTimeIn } from '../local-time.ts'
import { dueKey, dueOn, isOverdue, readDue } from './due.ts'
import { ODD_ZONES } from './fixtures/zones.ts'

const zone = fc.constantFrom(...ODD_ZONES)
const day = fc
  .date({ min: new Date('2011-01-01'), max: new Date('2030-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'))

test('a due time is the wall-clock time at its instant, unless the clocks skip it', () => {
  fc.assert(
    fc.property(day, time, zone, (on, at, where) => {
      const due = dueOn(on, at, where)
      const shown = `${dayOf(due.at ?? 0, where)} ${timeOf(due.at ?? 0, where)}`
      // A time that daylight saving skips moves forward, never back and never by more than the day
      // that Samoa skipped.
      if (shown === `${on} ${at}`) return
      expect(shown > `${on} ${at}`).toBe(true)
      expect(dayOf(due.at ?? 0, where) <= addDays(on, 1)).toBe(true)
    }),
    { numRuns: 500 },
  )
})

test('the hour that Berlin skips and the hour that occurs twice are both read', () => {
  expect(dueOn('2026-03-29', '02:30', 'Europe/Berlin').at).toBe(
    Date.parse('2026-03-29T03:30:00+02:00'),
  )
  expect(dueOn('2026-10-25', '02:30', 'Europe/Berlin').at).toBe(
    Date.parse('2026-10-25T02:30:00+02:00'),
  )
})

test("a task due on a day is overdue exactly from the next midnight in the person's zone", () => {
  fc.assert(
    fc.property(day, zone, (on, where) => {
      const midnight = startOfDay(addDays(on, 1), where)
      // Samoa had no 30 December 2011: the day after the 29th is the 31st.
      expect(isOverdue({ day: on }, localTimeIn(where, midnight))).toBe(true)
      if (dayOf(midnight - 1, where) === on)
        expect(isOverdue({ day: on }, localTimeIn(where, midnight - 1))).toBe(false)
    }),
    { numRuns: 500 },
  )
})

test('a task due at a time is overdue at the same instant everywhere', () => {
  fc.assert(
    fc.property(day, time, zone, zone, (on, at, there, localTime) => {
      const due = dueOn(on, at, there)
      expect(isOverdue(due, localTimeIn(localTime, (due.at ?? 0) + 1))).toBe(true)
      expect(isOverdue(due, localTimeIn(localTime, due.at ?? 0))).toBe(false)
    }),
  )
})

test('keys sort by day and time, a whole day after its times, and no due date last', () => {
  const dues = [
    dueOn('2026-01-15', '09:00', 'UTC'),
    dueOn('2026-01-15', '17:00', 'UTC'),
    dueOn('2026-01-15', undefined, 'UTC'),
    dueOn('2026-01-16', '00:00', 'UTC'),
    undefined,
  ]
  expect(dues.map(dueKey)).toEqual([...dues.map(dueKey)].sort())
})

test.each([
  ['tomorrow', { day: '2026-01-16' }],
  ['2026-05-01', { day: '2026-05-01' }],
  ['2026-05-01 14:00', dueOn('2026-05-01', '14:00', 'Europe/Berlin')],
  ['morgen um 17 Uhr', dueOn('2026-01-16', '17:00', 'Europe/Berlin')],
  ['demain à 17h', dueOn('2026-01-16', '17:00', 'Europe/Berlin')],
  ['mañana a las 5', dueOn('2026-01-16', '17:00', 'Europe/Berlin')],
])('"%s" is read in the person’s zone', (text, due) => {
  expect(
    readDue(text, localTimeIn('Europe/Berlin', Date.parse('2026-01-15T08:00:00Z')), 'due'),
  ).toEqual(due)
})

test('"tomorrow" depends on the person\'s zone', () => {
  const now = Date.parse('2026-01-15T23:30:00Z')
  expect(readDue('tomorrow', localTimeIn('UTC', now), 'due').day).toBe('2026-01-16')
  expect(readDue('tomorrow', localTimeIn('Asia/Kathmandu', now), 'due').day).toBe('2026-01-17')
})

test('a text without a date is refused with the field', () => {
  const localTime = localTimeIn('UTC', Date.parse('2026-01-15T08:00:00Z'))
  for (const text of ['whenever', '2026-02-30', '2026-01-15 25:00'])
    expect(() => readDue(text, localTime, 'due'), text).toThrow(
      expect.objectContaining({
        code: 'TOOL_INVALID_FIELD_VALUE',
        details: {
          validation_errors: [expect.objectContaining({ field: 'due', provided_value: text })],
        },
      }),
    )
})

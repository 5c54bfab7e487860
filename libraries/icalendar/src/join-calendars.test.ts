import { expect, test } from 'vitest'
import { joinCalendars } from './join-calendars.ts'
import { readCalendar } from './read-calendar.ts'
import { writeCalendar } from './write-calendar.ts'

const write = (uid: string, timeZone: string, summary = 'A') =>
  writeCalendar(
    [
      {
        kind: 'event',
        uid,
        summary,
        start: { kind: 'zoned', local: '2026-11-20T19:30:00', timeZone },
        end: { kind: 'zoned', local: '2026-11-20T20:30:00', timeZone },
      },
    ],
    { prodId: '-//T//T//EN', name: uid, now: 0 },
  )

test('the events of all calendars are in one, each zone once, under the name of the first', () => {
  const joined = joinCalendars([
    write('a', 'Europe/Berlin'),
    write('b', 'Europe/Berlin', 'END:VCALENDAR, or\nBEGIN:VEVENT'),
    write('c', 'Asia/Tokyo'),
  ])
  expect(readCalendar(joined).map(({ uid, summary }) => [uid, summary])).toEqual([
    ['a', 'A'],
    ['b', 'END:VCALENDAR, or\nBEGIN:VEVENT'],
    ['c', 'A'],
  ])
  expect(joined.match(/^TZID:.*$/gm)).toEqual(['TZID:Europe/Berlin', 'TZID:Asia/Tokyo'])
  expect(joined.match(/BEGIN:VCALENDAR/g)).toHaveLength(1)
  expect(joined.match(/NAME:a\r/)).not.toBeNull()
})

test('one calendar is itself', () => {
  expect(joinCalendars([write('a', 'Europe/Berlin')])).toBe(write('a', 'Europe/Berlin'))
})

import { expect, test } from 'vitest'
import { formatTime, formatWhen } from './format-when.ts'

const MOMENT = '2026-11-19T14:00:00+01:00'

test.each([
  [{ locale: 'en', timeZone: 'Europe/Vienna' }, 'Thursday, 19 November 2026 at 14:00'],
  [
    { locale: 'en-US', timeZone: 'Europe/Lisbon' },
    'Thursday, 19 November 2026 at 13:00 (14:00 there)',
  ],
  [{ locale: 'de-AT', timeZone: 'Europe/Vienna' }, 'Donnerstag, 19. November 2026 um 14:00'],
  [{ locale: 'de', timeZone: 'Asia/Tokyo' }, 'Donnerstag, 19. November 2026 um 22:00 (dort 14:00)'],
  [{ locale: 'xx', timeZone: 'Mars/Olympus' }, 'Thursday, 19 November 2026 at 14:00'],
  [{}, 'Thursday, 19 November 2026 at 14:00'],
])('a reader with %j is told "%s"', (reader, text) => {
  expect(formatWhen(MOMENT, reader)).toBe(text)
})

test('the end of something is a time, and Z is UTC', () => {
  expect(formatTime('2026-11-19T15:00:00Z', {})).toBe('15:00')
  expect(formatTime(MOMENT, { timeZone: 'Europe/Lisbon' })).toBe('13:00')
})

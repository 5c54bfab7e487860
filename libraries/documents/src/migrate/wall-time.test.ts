import fc from 'fast-check'
import { expect, test } from 'vitest'
import { instantOf } from './transformation.ts'

const utc = (text: string) => Date.parse(`${text}Z`)

test.each([
  ['2026-01-15T08:30', 'UTC', '2026-01-15T08:30'],
  ['2026-01-15T08:30', 'Asia/Kathmandu', '2026-01-15T02:45'],
  ['2026-07-15T08:30', 'America/New_York', '2026-07-15T12:30'],
  ['2026-03-29T03:30', 'Europe/Helsinki', '2026-03-29T01:30'],
  ['2026-10-25T03:30', 'Europe/Helsinki', '2026-10-25T00:30'],
  ['2026-10-25T04:00', 'Europe/Helsinki', '2026-10-25T02:00'],
  ['2026-03-29T04:00', 'Europe/Helsinki', '2026-03-29T01:00'],
])('%s on the clocks of %s is %s UTC', (wall, zone, expected) => {
  expect(new Date(instantOf(utc(wall), zone)).toISOString().slice(0, 16)).toBe(expected)
})

test('the clocks of the zone then show that time, but for an hour in spring', () => {
  const zone = fc.constantFrom(
    'Europe/Berlin',
    'America/St_Johns',
    'Australia/Lord_Howe',
    'Asia/Kolkata',
  )
  fc.assert(
    fc.property(
      fc.integer({ min: utc('2000-01-01'), max: utc('2040-01-01') }),
      zone,
      (ms, timeZone) => {
        const shown = new Date(instantOf(ms, timeZone)).toLocaleString('sv-SE', { timeZone })
        const lateMs = utc(shown.replace(' ', 'T')) - Math.floor(ms / 1000) * 1000
        expect([0, 1_800_000, 3_600_000]).toContain(lateMs)
      },
    ),
  )
})

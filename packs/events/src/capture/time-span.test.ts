import { expect, test } from 'vitest'
import { eventSpan, overlap, parseInstant } from './time-span.ts'

const hours = (from: string, to: string, timezone: string) =>
  (parseInstant(to, timezone) - parseInstant(from, timezone)) / 3_600_000

test('without an end an event takes an hour, and an all-day event its day, also of 23 or 25 hours', () => {
  const timezone = 'Europe/Berlin'
  const length = (startTime: string) => {
    const { fromMs, toMs } = eventSpan({ startTime, timezone })
    return (toMs - fromMs) / 3_600_000
  }
  expect([
    length('2026-11-27T20:00'),
    length('2026-11-27'),
    length('2026-03-29'),
    length('2026-10-25'),
  ]).toEqual([1, 24, 23, 25])
})

test('a time without an offset is read in its zone, one with an offset as it is', () => {
  expect(hours('2026-11-27T20:00', '2026-11-27T20:00:00-08:00', 'Europe/Berlin')).toBe(9)
  expect(hours('2026-11-27', '2026-11-27T00:00', 'Asia/Tokyo')).toBe(0)
})

test('events that only touch do not overlap', () => {
  const [first, second, third] = [
    { startTime: '2026-11-27T19:00', endTime: '2026-11-27T20:00', timezone: 'UTC' },
    { startTime: '2026-11-27T20:00', endTime: '2026-11-27T21:00', timezone: 'UTC' },
    { startTime: '2026-11-27', timezone: 'UTC' },
  ].map(eventSpan)
  if (first === undefined || second === undefined || third === undefined)
    throw new Error('three were made')
  expect([overlap(first, second), overlap(second, third), overlap(third, first)]).toEqual([
    false,
    true,
    true,
  ])
})

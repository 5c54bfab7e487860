import { expect, test } from 'vitest'
import { instantOf, meet, stretchOf } from './moments.ts'

const hours = (from: string, to: string, timezone: string) =>
  (instantOf(to, timezone) - instantOf(from, timezone)) / 3_600_000

test('without an end an event takes an hour, and a whole day its day, however long that is', () => {
  const timezone = 'Europe/Berlin'
  const length = (startTime: string) => {
    const { fromMs, toMs } = stretchOf({ startTime, timezone })
    return (toMs - fromMs) / 3_600_000
  }
  expect([
    length('2026-11-27T20:00'),
    length('2026-11-27'),
    length('2026-03-29'),
    length('2026-10-25'),
  ]).toEqual([1, 24, 23, 25])
})

test('a time without an offset is read in its zone, one with an offset is what it is', () => {
  expect(hours('2026-11-27T20:00', '2026-11-27T20:00:00-08:00', 'Europe/Berlin')).toBe(9)
  expect(hours('2026-11-27', '2026-11-27T00:00', 'Asia/Tokyo')).toBe(0)
})

test('what ends when the other begins does not meet it', () => {
  const [first, second, third] = [
    { startTime: '2026-11-27T19:00', endTime: '2026-11-27T20:00', timezone: 'UTC' },
    { startTime: '2026-11-27T20:00', endTime: '2026-11-27T21:00', timezone: 'UTC' },
    { startTime: '2026-11-27', timezone: 'UTC' },
  ].map(stretchOf)
  if (first === undefined || second === undefined || third === undefined)
    throw new Error('three were made')
  expect([meet(first, second), meet(second, third), meet(third, first)]).toEqual([
    false,
    true,
    true,
  ])
})

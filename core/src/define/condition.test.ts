import { describe, expect, test } from 'vitest'
import type { Condition } from '../call/caller.ts'
import { readCondition } from './condition.ts'

const read = (type: string, parameters: unknown) => readCondition({ type, parameters } as Condition)

describe('a condition says', () => {
  test('hours, days and a zone', () => {
    expect(
      read('time_restriction', {
        start: '09:30',
        end: '24:00',
        days: ['mon', 7],
        time_zone: 'Europe/Berlin',
      }),
    ).toEqual({
      type: 'time_restriction',
      window: {
        startMinute: 570,
        endMinute: 1440,
        days: new Set([0, 1]),
        timeZone: 'Europe/Berlin',
      },
    })
    expect(read('time_restriction', { start: '22:00', end: '06:00' })).toMatchObject({
      window: { days: new Set([0, 1, 2, 3, 4, 5, 6]), timeZone: undefined },
    })
  })

  test.each([
    [{ max_calls: 3, per: 'minute' }, 60_000],
    [{ max_calls: 3, per: 'hour' }, 3_600_000],
    [{ max_calls: 3, per: 'day' }, 86_400_000],
    [{ max_calls: 3, window_seconds: 1.5 }, 1_500],
  ])('how often: %j', (parameters, windowMs) => {
    expect(read('rate_limit', parameters)).toEqual({ type: 'rate_limit', calls: 3, windowMs })
  })

  test('whose yes', () => {
    expect(read('user_consent', {})).toEqual({ type: 'user_consent' })
    expect(read('admin_approval', {})).toEqual({ type: 'admin_approval' })
  })
})

test.each([
  ['time_restriction', {}],
  ['time_restriction', { start: '9:00', end: '17:00' }],
  ['time_restriction', { start: '09:00', end: '25:00' }],
  ['time_restriction', { start: '24:00', end: '06:00' }],
  ['time_restriction', { start: '09:00', end: '09:00' }],
  ['time_restriction', { start: '09:00', end: '17:00', days: [] }],
  ['time_restriction', { start: '09:00', end: '17:00', days: null }],
  ['time_restriction', { start: '09:00', end: '17:00', days: ['monday'] }],
  ['time_restriction', { start: '09:00', end: '17:00', days: [8] }],
  ['time_restriction', { start: '09:00', end: '17:00', days: [1.5] }],
  ['time_restriction', { start: '09:00', end: '17:00', time_zone: 'Mars/Olympus' }],
  ['time_restriction', { start: '09:00', end: '17:00', timezone: 'UTC' }],
  ['rate_limit', { max_calls: 3 }],
  ['rate_limit', { max_calls: 0, per: 'minute' }],
  ['rate_limit', { max_calls: '3', per: 'minute' }],
  ['rate_limit', { max_calls: 3, per: 'week' }],
  ['rate_limit', { max_calls: 3, per: 'day', window_seconds: 5 }],
  ['rate_limit', { max_calls: 3, window_seconds: 0 }],
  ['rate_limit', { max_calls: 3, window_seconds: Number.POSITIVE_INFINITY }],
  ['user_consent', { by: 'bob' }],
  ['user_consent', undefined],
  ['admin_approval', null],
])('%s with %j is refused by name', (type, parameters) => {
  expect(() => read(type, parameters)).toThrow(
    new RegExp(`^The condition "${type}" cannot be enforced: .+\\.$`),
  )
})

test('an unknown condition is refused by name', () => {
  expect(() => read('full_moon', {})).toThrow('The condition "full_moon" is not known.')
})

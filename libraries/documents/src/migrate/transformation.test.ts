import type { Caller } from '@surehand/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Iso8601Duration, Rfc3339DateTime } from '../shapes/time.ts'
import { transformationOf } from './transformation.ts'

const caller: Caller = { tenant: 't', principal: 'ann', actor: 'user', roles: [], capabilities: [] }

function there(name: string, value: unknown, timeZone?: string): unknown {
  const context = {
    tool: 'create_habit',
    nowMs: 0,
    caller: timeZone === undefined ? undefined : { ...caller, timeZone },
  }
  return transformationOf(name)?.forward(value, context)
}
const back = (name: string, value: unknown) => transformationOf(name)?.backward?.(value)

describe('on the way to v2', () => {
  test.each<[string, unknown, unknown]>([
    ['to_string', 17, '17'],
    ['to_string', true, 'true'],
    ['to_string', {}, undefined],
    ['to_number', ' 30 ', 30],
    ['to_number', '1e3', 1000],
    ['to_number', 2.5, 2.5],
    ['to_number', '0x10', undefined],
    ['to_number', '', undefined],
    ['to_number', '12345678901234567890', undefined],
    ['to_number', true, undefined],
    ['to_boolean', 'Yes', true],
    ['to_boolean', 0, false],
    ['to_boolean', 'perhaps', undefined],
    ['to_boolean', {}, undefined],
    ['lowercase', 'DAILY', 'daily'],
    ['lowercase', 5, undefined],
    ['uppercase', 'a', 'A'],
    ['trim', ' a ', 'a'],
    ['minutes_to_duration', 30, 'PT30M'],
    ['minutes_to_duration', 1.5, undefined],
    ['minutes_to_duration', -1, undefined],
    ['minutes_to_duration', '30', undefined],
    ['split_csv', 'a, b,,c ', ['a', 'b', 'c']],
    ['split_csv', '', []],
    ['split_csv', ['a'], undefined],
    ['join_csv', ['a', 'b'], 'a,b'],
    ['join_csv', ['a,b'], undefined],
    ['join_csv', [1], undefined],
    ['map:{"1":"tiny","hard":"hard"}', 1, 'tiny'],
    ['map:{"1":"tiny"}', 'other', 'other'],
    ['map:[[1,"tiny"],[true,"easy"]]', true, 'easy'],
    ['map:[[1,"tiny"]]', '1', '1'],
  ])('%s makes of %j: %j', (name, value, expected) => {
    expect(there(name, value)).toEqual(expected)
  })

  test.each<[unknown, string | undefined, unknown]>([
    ['2026-01-15T08:30:00+03:00', undefined, '2026-01-15T08:30:00+03:00'],
    ['2026-01-15 08:30:00.123456', undefined, '2026-01-15T08:30:00.123Z'],
    ['2026-01-15T08:30', 'Europe/Helsinki', '2026-01-15T06:30:00.000Z'],
    ['2026-07-15', 'America/New_York', '2026-07-15T04:00:00.000Z'],
    [1_768_465_800, undefined, '2026-01-15T08:30:00.000Z'],
    [1_768_465_800_000, undefined, '2026-01-15T08:30:00.000Z'],
    ['2026-02-30', undefined, undefined],
    ['2026-01-15 25:00', undefined, undefined],
    ['tomorrow', undefined, undefined],
    [1e300, undefined, undefined],
    [null, undefined, undefined],
  ])('iso_datetime makes of %j in %s: %j', (value, timeZone, expected) => {
    expect(there('iso_datetime', value, timeZone)).toBe(expected)
  })
})

describe('on the way back', () => {
  test.each<[string, unknown, unknown]>([
    ['to_string', '17', 17],
    ['to_string', 'true', true],
    ['to_string', 'hab_17', undefined],
    ['to_string', '017', undefined],
    ['to_number', 30, '30'],
    ['minutes_to_duration', 'PT1H30M', 90],
    ['minutes_to_duration', 'P1DT1M', 1441],
    ['minutes_to_duration', 'PT30S', undefined],
    ['minutes_to_duration', 'P', undefined],
    ['split_csv', ['a', 'b'], 'a,b'],
    ['split_csv', ['a,b'], undefined],
    ['join_csv', 'a,b', ['a', 'b']],
    ['map:[[1,"tiny"],[2,"easy"]]', 'easy', 2],
    ['map:{"a":"x","b":"x"}', 'x', undefined],
    ['lowercase', 'daily', undefined],
  ])('%s makes of %j: %j', (name, value, expected) => {
    expect(back(name, value)).toEqual(expected)
  })
})

test.each(['shout', 'toString', 'map:', 'map:{', 'map:5', 'map:{"a":{}}', 'map:[["a"]]'])(
  '%s is no transformation',
  (name) => {
    expect(transformationOf(name)).toBeUndefined()
  },
)

const word = fc.stringMatching(/^[a-z]{1,5}$/)

test.each<[string, fc.Arbitrary<unknown>]>([
  [
    'to_string',
    fc.oneof(
      fc.integer(),
      fc.boolean(),
      fc
        .double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 })
        .map((one) => one + 0),
    ),
  ],
  ['to_number', fc.integer().map(String)],
  ['minutes_to_duration', fc.nat()],
  ['split_csv', fc.array(word).map((words) => words.join(','))],
  ['join_csv', fc.array(word, { minLength: 1 })],
  ['map:[[1,"tiny"],[2,"easy"],[true,"on"]]', fc.constantFrom(1, 2, true)],
])('%s there and back gives the same again', (name, values) => {
  fc.assert(
    fc.property(values, (value) => {
      expect(back(name, there(name, value))).toEqual(value)
    }),
  )
})

test('whatever it is given, it gives what v2 takes or nothing', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      const [when, duration] = [
        there('iso_datetime', value, 'Asia/Kathmandu'),
        there('minutes_to_duration', value),
      ]
      if (when !== undefined) expect(Rfc3339DateTime.safeParse(when).success).toBe(true)
      if (duration !== undefined) expect(Iso8601Duration.safeParse(duration).success).toBe(true)
    }),
  )
})

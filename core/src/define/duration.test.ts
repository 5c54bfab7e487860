import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Duration, toMs } from './duration.ts'

test.each([
  ['1ms', 1],
  ['250ms', 250],
  ['1s', 1000],
  ['1.5s', 1500],
  ['0.5ms', 1],
  ['15m', 900_000],
  ['2h', 7_200_000],
  ['30d', 2_592_000_000],
] as const)('%s is %d milliseconds', (duration, ms) => {
  expect(toMs(duration)).toBe(ms)
})

test.each([
  '',
  's',
  '5',
  '5 s',
  ' 5s',
  '5s ',
  '5s\n',
  '-5s',
  '+5s',
  '.5s',
  '5.s',
  '1e3s',
  '0x10s',
  '1_000s',
  '1,5s',
  'NaNs',
  'Infinityms',
  '5S',
  '5sec',
  '5w',
  '1m30s',
  '٣s',
])('%j is refused with a message that says what to write', (duration) => {
  expect(() => toMs(duration as Duration)).toThrow(
    new TypeError(
      `The duration ${JSON.stringify(duration)} is not a number with a unit. Write a positive number and one of ms, s, m, h, d: "250ms", "1.5s", "15m".`,
    ),
  )
})

test('no time at all is refused, also when it only rounds to none', () => {
  expect(() => toMs('0s')).toThrow(/"0s" is no time at all/)
  expect(() => toMs('0.4ms')).toThrow(/"0.4ms" is no time at all/)
})

test('a duration beyond the safe integers is refused', () => {
  expect(() => toMs('9007199254740993ms')).toThrow(/too long/)
  expect(() => toMs(`${'9'.repeat(400)}d` as Duration)).toThrow(/too long/)
})

test('a number without its unit does not compile', () => {
  // @ts-expect-error 5000 of what?
  expect(() => toMs(5000)).toThrow(TypeError)
  // @ts-expect-error weeks are not a unit here
  expect(() => toMs('1w')).toThrow(TypeError)
})

test('whole counts are exact in every unit', () => {
  const units = fc.constantFrom(['ms', 1], ['s', 1000], ['m', 60_000], ['h', 3_600_000], [
    'd',
    86_400_000,
  ] as const)
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000_000 }), units, (count, [unit, ms]) => {
      expect(toMs(`${count}${unit}` as Duration)).toBe(count * Number(ms))
    }),
  )
})

test('any other string throws a TypeError and nothing else', () => {
  fc.assert(
    fc.property(
      fc.string().filter((text) => !/^\d+(\.\d+)?(ms|s|m|h|d)$/.test(text)),
      (text) => {
        expect(() => toMs(text as Duration)).toThrow(TypeError)
      },
    ),
  )
})

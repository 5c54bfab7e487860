import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toRe2 } from './pattern-source.ts'
import { createPatterns } from './patterns.ts'

const patterns = createPatterns()

describe('a pattern means what ECMA-262 says', () => {
  const texts = [
    '',
    'a',
    'A',
    'ab',
    'a\n',
    '\n',
    '\r',
    '\u2028',
    '\v',
    '\u00a0',
    '\ufeff',
    ' ',
    '-',
    '_',
    '5',
    '٣',
    'é',
    'α',
    '😀',
    '[',
    ':',
    'l',
    ']',
    'x]',
    '\b',
    '/',
    '.',
    'a.b',
    '12:30',
    '{',
    'a{,3}',
    '\0',
    'z',
    '\u3000',
    '\ud83d',
  ]
  test.each([
    '^a$',
    '^.$',
    '.',
    '\\s',
    '\\S',
    '[\\s]',
    '[^\\s]',
    '[\\S]',
    '[^\\S]',
    '^\\S+$',
    '\\cJ',
    '\\u0041',
    '\\u{1F600}',
    '\\ud83d\\ude00',
    '[\\ud83d\\ude00]',
    '[^]',
    '[]',
    'a\\/b',
    '[\\-]',
    '\\p{L}',
    '\\P{L}',
    '\\p{Script=Greek}',
    '\\p{sc=Greek}',
    '\\p{Letter}',
    '\\p{gc=Lu}',
    '\\w',
    '\\W',
    '\\b',
    '\\B',
    '[\\[:alph]',
    '[\\b]',
    '\\0',
    '\\x41',
    '^(?:a|b)?$',
    'x$',
    '\\d',
    '\\D',
    '[\\w-]',
    '[\\s\\-x]',
    '[a-c\\-]',
    '^[a-z]{1,3}$',
    '^.{1,2}$',
    '^\\S{1}$',
    '^[\\s\\S]{0,2000}$',
    '^\\d{2}:\\d{2}$',
    '(?<hour>\\d+)',
    '(a|b)+?',
    'a{2,}',
    '^$',
    '',
    '|',
    '\\.',
    '[.]',
    '[^a]',
    '[^-a]',
    '[a-]',
    '\\t|\\n|\\f|\\r|\\v',
    '^(a(b(c)?)?)?$',
    '[\\]]',
    '[\\\\]',
    '\\\\',
    '\\u005b',
    '(?i:A)b?',
  ])('%s', (source) => {
    const native = new RegExp(source, 'u')
    const ours = patterns.of(source)
    expect(texts.filter((text) => ours.test(text))).toEqual(
      texts.filter((text) => native.test(text)),
    )
  })
})

test.each([
  ['(?=a)b', 'looks ahead or behind'],
  ['(?!a)b', 'looks ahead or behind'],
  ['(?<=a)b', 'looks ahead or behind'],
  ['(?<!a)b', 'looks ahead or behind'],
  ['(a)\\1', 'refers back to a group'],
  ['(?<n>a)\\k<n>', 'refers back to a group'],
  ['\\Afoo\\z', '\\A, which is not defined'],
  ['\\Qa\\E', '\\Q, which is not defined'],
  ['(?#comment)a', 'has the group'],
  ['[a', 'not closed'],
  ['(a', 'parentheses'],
  ['a)', 'parentheses'],
  ['a\\', 'ends in a backslash'],
  ['a**', 'no linear-time form'],
  ['a{1001}', 'no linear-time form'],
  ['^a{3,1}$', 'more often than at most'],
  ['\\p{Nonsense}', 'no linear-time form'],
  ['\\u{110000000}', 'unreadable escape'],
  [`(?:(?:a|b|ab|ba|aba|bab){1,30}){1,30}c`, 'repeats too much'],
  ['a'.repeat(5_000), 'longer than 4096'],
])('%.40s is refused with its reason', (source, reason) => {
  expect(() => patterns.of(source)).toThrow(reason)
})

test('a class of POSIX is a class of its letters, as for RegExp without the u flag', () => {
  expect(['a:]', ':]', 'b]', 'a'].map((one) => patterns.of('[[:alpha:]]').test(one))).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test('a pattern that only counts is as cheap as one that does not', () => {
  expect(toRe2('^[\\u0020-\\u00ff]{1,2048}$').size).toBeLessThan(10)
  expect(patterns.of('^[a-z]{1,5000}$').test('a'.repeat(5_000))).toBe(true)
  expect(patterns.of('^[a-z]{1,5000}$').test('a'.repeat(5_001))).toBe(false)
  expect(patterns.of('^.{2,}$').test('😀')).toBe(false)
})

test('patterns that hang a backtracking engine answer at once', () => {
  const before = process.threadCpuUsage()
  for (const source of [
    '^(a+)+$',
    '^(a|a)*$',
    '^(a|aa)+$',
    '(x+x+)+y',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '(.*)*b',
    '^(?:a?){30}a{30}$',
  ]) {
    patterns.of(source).test(`${'a'.repeat(20_000)}!`)
    patterns.of(source).test('x'.repeat(20_000))
  }
  // Microseconds of this thread, which do not depend on what else the machine does.
  expect(process.threadCpuUsage(before).user).toBeLessThan(3_000_000)
})

const atom = fc.constantFrom(
  'a',
  'b',
  '.',
  '\\d',
  '\\s',
  '\\S',
  '\\w',
  '[ab]',
  '[^a]',
  '[a-c]',
  '\\.',
  '\\/',
  '\\x41',
  '\\u0042',
  '[\\s\\d]',
  'é',
  '[\\w.-]',
  '-',
  '\\b',
)
const quantified = fc
  .tuple(atom, fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,3}', '*?'))
  .map(([one, times]) => (one === '\\b' ? one : one + times))
const sequence = fc.array(quantified, { maxLength: 4 }).map((parts) => parts.join(''))
const alternatives = fc
  .array(sequence, { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join('|'))
const pattern = fc
  .tuple(
    fc.boolean(),
    alternatives,
    fc.constantFrom('', '', '*', '?', '{1,2}'),
    sequence,
    fc.boolean(),
  )
  .map(
    ([start, group, times, rest, end]) =>
      `${start ? '^' : ''}(?:${group})${times}${rest}${end ? '$' : ''}`,
  )
const text = fc.string({
  unit: fc.constantFrom('a', 'b', 'A', 'B', '1', '.', '/', '-', ' ', '\n', '\u00a0', 'é', '😀'),
  maxLength: 8,
})

test('any pattern of these parts finds the same texts as the native engine', () => {
  fc.assert(
    fc.property(pattern, fc.array(text, { minLength: 1, maxLength: 8 }), (source, texts) => {
      const native = new RegExp(source, 'u')
      const ours = patterns.of(source)
      expect(texts.map((one) => ours.test(one))).toEqual(texts.map((one) => native.test(one)))
    }),
    { numRuns: 600 },
  )
})

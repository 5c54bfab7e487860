import type { JsonSchema } from '@surehand/core/internal'
import { describe, expect, test } from 'vitest'
import { schemaDifference } from './schema-difference.ts'

type Schema = JsonSchema | boolean | undefined

// a change that breaks is marked with !
function describeChanges(
  before: Schema,
  after: Schema,
  direction: 'input' | 'output',
): readonly string[] {
  return schemaDifference(before, after, direction).map(({ what, breaking }) =>
    breaking ? `! ${what}` : what,
  )
}

const text = { type: 'string' }
const whole = { type: 'integer' }
const number = { type: 'number' }
const nothing = { type: 'null' }

function field(schema: Schema): JsonSchema {
  return { type: 'object', properties: { it: schema } }
}

type Row = { before: Schema; after: Schema; input: readonly string[]; output: readonly string[] }

function rows(name: string, list: readonly Row[]): void {
  describe(name, () => {
    test.each(list)('$before → $after', ({ before, after, input, output }) => {
      expect({
        input: describeChanges(before, after, 'input'),
        output: describeChanges(before, after, 'output'),
      }).toEqual({ input, output })
    })
  })
}

rows('types', [
  {
    before: text,
    after: number,
    input: ['! the input no longer accepts a string', 'the input now also accepts a number'],
    output: ['! the output may now be a number', 'the output is never a string any more'],
  },
  {
    before: whole,
    after: number,
    input: ['the input now also accepts a fraction'],
    output: ['! the output may now be a fraction'],
  },
  {
    before: number,
    after: whole,
    input: ['! the input no longer accepts a fraction'],
    output: ['the output is never a fraction any more'],
  },
  {
    before: field(text),
    after: field({ type: ['null', 'string'] }),
    input: ['"it" now also accepts null'],
    output: ['! "it" may now be null'],
  },
  {
    before: field(text),
    after: field({ anyOf: [text, nothing] }),
    input: ['"it" now also accepts null'],
    output: ['! "it" may now be null'],
  },
  {
    before: { type: ['string', 'null'] },
    after: { anyOf: [nothing, text] },
    input: [],
    output: [],
  },
  {
    before: {},
    after: { type: ['object', 'array'] },
    input: ['! the input no longer accepts null, a boolean, a number or a string'],
    output: ['the output is never null, a boolean, a number or a string any more'],
  },
  { before: undefined, after: {}, input: [], output: [] },
  {
    before: undefined,
    after: { type: ['object', 'array', 'string', 'boolean', 'number'] },
    input: ['! the input no longer accepts null'],
    output: ['the output is never null any more'],
  },
  {
    before: field(true),
    after: field(false),
    input: ['! "it" no longer accepts anything'],
    output: ['"it" is never anything any more'],
  },
  {
    before: false,
    after: text,
    input: ['the input now also accepts anything'],
    output: ['! the output may now be anything'],
  },
  { before: field({ not: {} }), after: field(false), input: [], output: [] },
])

rows('values', [
  {
    before: field({ enum: ['work', 'social'] }),
    after: field({ enum: ['work'] }),
    input: ['! "it" no longer accepts "social"'],
    output: ['"it" is never "social" any more'],
  },
  {
    before: field({ enum: ['work'] }),
    after: field({ enum: ['social', 'work'] }),
    input: ['"it" now also accepts "social"'],
    output: ['! "it" may now be "social"'],
  },
  { before: { enum: [1, 'a'] }, after: { enum: ['a', 1] }, input: [], output: [] },
  { before: { const: 'a' }, after: { enum: ['a'] }, input: [], output: [] },
  {
    before: { const: { a: [1], b: 2 } },
    after: { const: { b: 2, a: [1] } },
    input: [],
    output: [],
  },
  {
    before: { enum: ['a', 'b'] },
    after: text,
    input: ['the input now accepts more than "a" or "b"'],
    output: ['! the output may now be something else than "a" or "b"'],
  },
  {
    before: text,
    after: { enum: ['a', 'b'] },
    input: ['! the input now accepts only "a" or "b"'],
    output: ['the output is now always "a" or "b"'],
  },
  {
    before: { enum: ['a', 'bbb'] },
    after: { type: 'string', maxLength: 2 },
    input: ['! the input no longer accepts "bbb"', 'the input now accepts more than "a" or "bbb"'],
    output: [
      '! the output may now be something else than "a" or "bbb"',
      'the output is never "bbb" any more',
    ],
  },
  { before: { type: 'boolean' }, after: { enum: [true, false] }, input: [], output: [] },
  {
    before: { enum: [1, 2, 3, 4, 5, 6, 7] },
    after: { const: 7 },
    input: ['! the input no longer accepts 1, 2, 3, 4 or 2 more'],
    output: ['the output is never 1, 2, 3, 4 or 2 more any more'],
  },
])

rows('numbers', [
  {
    before: { type: 'number', minimum: 1 },
    after: { type: 'number', minimum: 5 },
    input: ['! minimum went up from 1 to 5'],
    output: ['minimum went up from 1 to 5'],
  },
  {
    before: field({ ...number, maximum: 9 }),
    after: field({ ...number, maximum: 10 }),
    input: ['maximum of "it" went up from 9 to 10'],
    output: ['! maximum of "it" went up from 9 to 10'],
  },
  {
    before: number,
    after: { ...number, minimum: 0 },
    input: ['! the input now has the minimum 0'],
    output: ['the output now has the minimum 0'],
  },
  {
    before: { ...number, minimum: 0 },
    after: number,
    input: ['the input no longer has the minimum 0'],
    output: ['! the output no longer has the minimum 0'],
  },
  {
    before: { ...number, minimum: 0 },
    after: { ...number, exclusiveMinimum: 0 },
    input: ['! minimum changed from 0 to 0 (exclusive)'],
    output: ['minimum changed from 0 to 0 (exclusive)'],
  },
  {
    before: { ...whole, minimum: 1, maximum: 9 },
    after: { ...whole, exclusiveMinimum: 0, exclusiveMaximum: 10 },
    input: [],
    output: [],
  },
  {
    before: { ...whole, minimum: 2 ** 53 },
    after: { ...whole, exclusiveMinimum: 2 ** 53 },
    input: ['! minimum changed from 9007199254740992 to 9007199254740992 (exclusive)'],
    output: ['minimum changed from 9007199254740992 to 9007199254740992 (exclusive)'],
  },
  {
    before: { ...whole, multipleOf: 10 },
    after: { ...whole, multipleOf: 5 },
    input: ['multipleOf changed from 10 to 5'],
    output: ['! multipleOf changed from 10 to 5'],
  },
  { before: { ...whole, multipleOf: 1 }, after: whole, input: [], output: [] },
  {
    before: { ...number, multipleOf: 0.1 },
    after: { ...number, multipleOf: 0.05 },
    input: ['! multipleOf changed from 0.1 to 0.05'],
    output: ['! multipleOf changed from 0.1 to 0.05'],
  },
])

rows('texts', [
  {
    before: field({ ...text, minLength: 1, maxLength: 9 }),
    after: field({ ...text, minLength: 2, maxLength: 8 }),
    input: [
      '! minimum length of "it" went up from 1 to 2',
      '! maximum length of "it" went down from 9 to 8',
    ],
    output: [
      'minimum length of "it" went up from 1 to 2',
      'maximum length of "it" went down from 9 to 8',
    ],
  },
  {
    before: { ...text, pattern: '^a' },
    after: { ...text, pattern: '^[ab]' },
    input: ['! pattern changed from "^a" to "^[ab]"'],
    output: ['! pattern changed from "^a" to "^[ab]"'],
  },
  {
    before: text,
    after: { ...text, pattern: '^a' },
    input: ['! the input now has the pattern "^a"'],
    output: ['the output now has the pattern "^a"'],
  },
  {
    before: { ...text, allOf: [{ pattern: '^a' }, { pattern: 'b$' }] },
    after: { ...text, allOf: [{ pattern: 'b$' }, { pattern: '^a' }] },
    input: [],
    output: [],
  },
  {
    before: { ...text, format: 'email' },
    after: text,
    input: ['the input no longer has the format "email"'],
    output: ['! the output no longer has the format "email"'],
  },
  { before: whole, after: { ...whole, pattern: '^a', minItems: 3 }, input: [], output: [] },
])

rows('arrays', [
  {
    before: { type: 'array', items: text },
    after: { type: 'array', items: { ...text, maxLength: 3 } },
    input: ['! "[]" now has the maximum length 3'],
    output: ['"[]" now has the maximum length 3'],
  },
  {
    before: field({ type: 'array', minItems: 1 }),
    after: field({ type: 'array', maxItems: 5 }),
    input: [
      '! "it" now has the maximum number of items 5',
      '"it" no longer has the minimum number of items 1',
    ],
    output: [
      '! "it" no longer has the minimum number of items 1',
      '"it" now has the maximum number of items 5',
    ],
  },
  {
    before: { type: 'array' },
    after: { type: 'array', uniqueItems: true },
    input: ['! items must now be distinct'],
    output: ['items no longer repeat'],
  },
  {
    before: { type: 'array', maxItems: 1 },
    after: { type: 'array', maxItems: 1, uniqueItems: true },
    input: [],
    output: [],
  },
  {
    before: { type: 'array', prefixItems: [text, whole], items: false },
    after: { type: 'array', prefixItems: [text, number], items: false, maxItems: 2 },
    input: ['"[1]" now also accepts a fraction'],
    output: ['! "[1]" may now be a fraction'],
  },
  {
    before: { type: 'array', items: whole },
    after: { type: 'array', prefixItems: [whole], items: number },
    input: ['"[]" now also accepts a fraction'],
    output: ['! "[]" may now be a fraction'],
  },
  {
    before: { type: 'array', contains: whole },
    after: { type: 'array', contains: number },
    input: [`! "contains" changed in a way that can't be compared`],
    output: [`! "contains" changed in a way that can't be compared`],
  },
])

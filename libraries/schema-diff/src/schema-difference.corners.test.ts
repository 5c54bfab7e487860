import type { JsonSchema } from '@surehand/core/internal'
import { expect, test } from 'vitest'
import { isValid } from './fixtures/schema-oracle.ts'
import { schemaDifference } from './schema-difference.ts'

const text = { type: 'string' }
const whole = { type: 'integer' }
const number = { type: 'number' }

function object(properties: JsonSchema, more: JsonSchema = {}): JsonSchema {
  return { type: 'object', properties, ...more }
}

function breaks(before: JsonSchema, after: JsonSchema, direction: 'input' | 'output'): boolean {
  return schemaDifference(before, after, direction).some(({ breaking }) => breaking)
}

const link = (leaf: JsonSchema) => ({
  a: object({ next: { $ref: '#/$defs/b' }, leaf }),
  b: object({ next: { $ref: '#/$defs/a' } }),
})

// each of them was, or could have been, taken for harmless by a shortcut
test.each<[string, JsonSchema, JsonSchema, unknown]>([
  [
    'what was proven with the help of a claim that failed',
    object({ x: { $ref: '#/$defs/a' }, y: { $ref: '#/$defs/b' } }, { $defs: link(number) }),
    object(
      { x: { anyOf: [{ $ref: '#/$defs/a' }, { type: 'object' }] }, y: { $ref: '#/$defs/b' } },
      { $defs: link(whole) },
    ),
    { y: { next: { leaf: 1.5 } } },
  ],
  [
    'a keyword beside a reference',
    { $ref: '#/$defs/a', $defs: { a: text } },
    { $ref: '#/$defs/a', maxLength: 3, $defs: { a: text } },
    'four',
  ],
  [
    'a pattern for the names of a constant',
    { const: { a: 1 } },
    { patternProperties: { '^a': text } },
    { a: 1 },
  ],
  ['a condition on a constant', { const: 1 }, JSON.parse('{"if":{"const":1},"then":false}'), 1],
  [
    'a pattern for the only names there are',
    object({ ab: text }, { additionalProperties: false }),
    object({ ab: text }, { additionalProperties: false, propertyNames: { pattern: '^b' } }),
    { ab: '' },
  ],
  [
    'two equal items of two',
    { type: 'array', maxItems: 2 },
    { type: 'array', maxItems: 2, uniqueItems: true },
    [1, 1],
  ],
  ['fractions that are multiples of nothing', number, { ...number, multipleOf: 1 }, 1.5],
  [
    'the one number that two variants share',
    { ...number, maximum: 3 },
    {
      oneOf: [
        { ...number, maximum: 5 },
        { ...number, minimum: 3 },
      ],
    },
    3,
  ],
  [
    'a field that a pattern may allow in the other variant',
    object({ k: { const: 'x' } }, { required: ['k'] }),
    {
      oneOf: [
        object({ k: { const: 'x' } }, { required: ['k'] }),
        {
          type: 'object',
          required: ['k'],
          patternProperties: { '^k': { const: 'x' } },
          additionalProperties: { const: 'y' },
        },
      ],
    },
    { k: 'x' },
  ],
  [
    'a field that is asked for, with any value, and then declared',
    object({}, { required: ['a'] }),
    object({ a: text }, { required: ['a'] }),
    { a: 1 },
  ],
  [
    'an item behind a shorter prefix',
    { prefixItems: [text], items: whole },
    { prefixItems: [text, text], items: whole },
    ['', 1],
  ],
  ['an item that was not looked at', { prefixItems: [text] }, { items: text }, ['', 1]],
  ['a limit between whole numbers', { ...whole, minimum: 1 }, { ...whole, exclusiveMinimum: 1 }, 1],
  [
    'a number of fields that was only asked for by name',
    object({}, { required: ['a'], minProperties: 1 }),
    object({}, { required: ['a'], minProperties: 2 }),
    { a: 1 },
  ],
  ['a text counted in characters', { ...text, maxLength: 2 }, { ...text, maxLength: 1 }, '😀😀'],
  [
    'a union that only one side closes',
    { anyOf: [object({ a: text }), object({ b: text })] },
    {
      anyOf: [
        object({ a: text }, { additionalProperties: false }),
        object({ b: text }, { additionalProperties: false }),
      ],
    },
    { a: '', b: '' },
  ],
])(
  '%s is said to break an input, and an output the other way round',
  (_what, before, after, witness) => {
    expect([isValid(before, witness, 'plain'), isValid(after, witness, 'plain')]).toEqual([
      true,
      false,
    ])
    expect(breaks(before, after, 'input')).toBe(true)
    if (!isValid(after, witness, 'tolerant')) expect(breaks(after, before, 'output')).toBe(true)
  },
)

// beyond the oracle
test.each<[string, JsonSchema, JsonSchema]>([
  [
    'a field that only a union evaluated',
    { type: 'object', anyOf: [{ properties: { a: text } }], unevaluatedProperties: false },
    { type: 'object', unevaluatedProperties: false },
  ],
  [
    'a field that a schema elsewhere may know',
    { allOf: [object({ a: text }), { $ref: 'https://example.com/b' }] },
    object({ a: text, b: text }),
  ],
  [
    'a reference within a keyword nobody knows',
    { 'x-items': { $ref: '#/$defs/a' }, $defs: { a: text } },
    { 'x-items': { $ref: '#/$defs/a' }, $defs: { a: whole } },
  ],
  [
    'a condition that is the same but for what it leads to',
    { if: { $ref: '#/$defs/a' }, else: false, $defs: { a: number } },
    { if: { $ref: '#/$defs/a' }, else: false, $defs: { a: whole } },
  ],
  ['a format', text, { ...text, format: 'date' }],
])('%s is said to break an input', (_what, before, after) => {
  expect(breaks(before, after, 'input')).toBe(true)
})

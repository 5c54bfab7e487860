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

function object(properties: JsonSchema, more: JsonSchema = {}): JsonSchema {
  return { type: 'object', properties, ...more }
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

rows('fields', [
  {
    before: object({ a: text }),
    after: object({ a: text, b: whole }),
    input: ['"b" is new'],
    output: ['"b" is new'],
  },
  {
    before: object({ a: text, b: whole }),
    after: object({ a: text }),
    input: ['"b" is gone'],
    output: ['"b" is gone'],
  },
  {
    before: object({ a: text }),
    after: object({ a: text }, { required: ['a'] }),
    input: ['! "a" is now required'],
    output: ['"a" is now always there'],
  },
  {
    before: object({ a: text }, { required: ['a'] }),
    after: object({ a: text }),
    input: ['"a" is no longer required'],
    output: ['! "a" may now be missing'],
  },
  {
    before: object({}),
    after: object({ a: text }, { required: ['a'] }),
    input: ['! "a" is now required', '"a" is new'],
    output: ['"a" is now always there', '"a" is new'],
  },
  {
    before: object({ a: text }, { required: ['a'] }),
    after: object({}),
    input: ['"a" is no longer required', '"a" is gone'],
    output: ['! "a" may now be missing', '"a" is gone'],
  },
  {
    before: object({ a: text, b: text }, { required: ['a', 'b'] }),
    after: object({ b: text, a: text }, { required: ['b', 'a'] }),
    input: [],
    output: [],
  },
  {
    before: object({ a: object({ b: object({ c: whole }) }) }),
    after: object({ a: object({ b: object({ c: number }) }) }),
    input: ['"a.b.c" now also accepts a fraction'],
    output: ['! "a.b.c" may now be a fraction'],
  },
  {
    before: object({}, { minProperties: 1 }),
    after: object({}, { maxProperties: 3 }),
    input: [
      '! the input now has the maximum number of fields 3',
      'the input no longer has the minimum number of fields 1',
    ],
    output: [
      '! the output no longer has the minimum number of fields 1',
      'the output now has the maximum number of fields 3',
    ],
  },
])

rows('other keys', [
  // nothing is stripped from an object without properties, so what it had under the name may be
  // anything
  {
    before: { type: 'object' },
    after: object({ a: text }),
    input: ['! "a" no longer accepts null, a boolean, a number, an array or an object'],
    output: ['"a" is never null, a boolean, a number, an array or an object any more'],
  },
  {
    before: object({}, { required: ['a'] }),
    after: object({ a: text }, { required: ['a'] }),
    input: ['! "a" no longer accepts null, a boolean, a number, an array or an object'],
    output: ['"a" is never null, a boolean, a number, an array or an object any more'],
  },
  {
    before: object({ a: text }),
    after: object({ a: text }, { additionalProperties: false }),
    input: ['! the input now refuses unknown keys'],
    output: ['the output no longer carries unknown keys'],
  },
  {
    before: object({ a: text }, { additionalProperties: false }),
    after: object({ a: text }),
    input: ['the input now takes unknown keys'],
    output: ['the output may now carry unknown keys'],
  },
  {
    before: object({ a: text, b: text }, { additionalProperties: false }),
    after: object({ a: text }, { additionalProperties: false }),
    input: ['! "b" is no longer accepted'],
    output: ['"b" is gone'],
  },
  {
    before: object({ a: text }, { additionalProperties: false }),
    after: object({ a: text, b: text }, { additionalProperties: false }),
    input: ['"b" is new'],
    output: ['"b" is new'],
  },
  {
    before: object({}, { additionalProperties: whole }),
    after: object({}, { additionalProperties: number }),
    input: ['"*" now also accepts a fraction'],
    output: ['! "*" may now be a fraction'],
  },
  {
    before: object({}, { additionalProperties: whole }),
    after: object({ a: text }, { additionalProperties: whole }),
    input: ['! "a" no longer accepts a whole number', '"a" now also accepts a string'],
    output: ['! "a" may now be a string', '"a" is never a whole number any more'],
  },
  {
    before: object({}, { propertyNames: { enum: ['a', 'b'] }, additionalProperties: text }),
    after: object({}, { propertyNames: { enum: ['a'] }, additionalProperties: text }),
    input: ['! the input no longer takes the key "b"'],
    output: ['the output no longer has the key "b"'],
  },
  {
    before: object({}, { propertyNames: text }),
    after: object({}, { propertyNames: { maxLength: 3 } }),
    input: ['! the input no longer takes every key'],
    output: ['the output no longer has other keys'],
  },
  {
    before: object({}, { patternProperties: { '^x': whole } }),
    after: object({}, { patternProperties: { '^x': number } }),
    input: ['"*" now also accepts a fraction'],
    output: ['! "*" may now be a fraction'],
  },
  {
    before: object({}, { patternProperties: { '^x': text }, additionalProperties: false }),
    after: object({}, { patternProperties: { '^y': text }, additionalProperties: false }),
    input: ['! the input now refuses unknown keys', 'the input now takes unknown keys'],
    output: ['the output may now carry unknown keys', 'the output no longer carries unknown keys'],
  },
])

rows('what is not reasoned about', [
  {
    before: { if: text },
    after: { if: whole },
    input: [`! "if" changed in a way that can't be compared`],
    output: [`! "if" changed in a way that can't be compared`],
  },
  {
    before: text,
    after: { ...text, 'x-mask': '*' },
    input: [`! the input now has "x-mask", which can't be compared`],
    output: [`the output now has "x-mask", which can't be compared`],
  },
  {
    before: { ...text, 'x-mask': '*' },
    after: { ...text, 'x-mask': '*', maxLength: 3 },
    input: ['! the input now has the maximum length 3'],
    output: ['the output now has the maximum length 3'],
  },
  {
    before: { not: whole },
    after: { not: number },
    input: [`! "not" changed in a way that can't be compared`],
    output: [`! "not" changed in a way that can't be compared`],
  },
  { before: text, after: { ...text, not: whole }, input: [], output: [] },
  {
    before: text,
    after: { type: 'text' },
    input: [`! the input holds a schema that can't be read, or a reference that can't be followed`],
    output: [
      `! the output holds a schema that can't be read, or a reference that can't be followed`,
    ],
  },
  {
    before: object({ a: text }, { if: { required: ['a'] } }),
    after: object({ a: text, b: text }, { if: { required: ['a'] } }),
    input: ['"b" is new'],
    output: ['"b" is new'],
  },
  {
    before: object({ a: text }, { if: { properties: { b: whole } } }),
    after: object({ a: text, b: text }, { if: { properties: { b: whole } } }),
    input: ['! "b" no longer accepts null, a boolean, a number, an array or an object'],
    output: ['"b" is never null, a boolean, a number, an array or an object any more'],
  },
  {
    before: object({ a: text }, { unevaluatedProperties: false }),
    after: object({ a: text, b: text }, { unevaluatedProperties: false }),
    input: [`! "unevaluatedProperties" changed in a way that can't be compared`, '"b" is new'],
    output: [`! "unevaluatedProperties" changed in a way that can't be compared`, '"b" is new'],
  },
])

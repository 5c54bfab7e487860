import type { JsonSchema } from '@surehand/core/internal'
import { describe, expect, test } from 'vitest'
import { foreignSchemas } from './foreign-schemas.ts'

type Case = {
  readonly schema: JsonSchema
  readonly good: readonly unknown[]
  readonly bad: readonly unknown[]
}

// a literal with a `then` looks like a promise to the linter
function conditional(
  condition: JsonSchema,
  whenMet: JsonSchema,
  whenNotMet: JsonSchema | boolean,
): JsonSchema {
  return Object.fromEntries([
    ['if', condition],
    ['then', whenMet],
    ['else', whenNotMet],
  ])
}

const open = { additionalProperties: true }
const tree = {
  $ref: '#/$defs/node',
  $defs: {
    node: {
      type: 'object',
      required: ['v'],
      properties: {
        v: { type: 'number' },
        kids: { type: 'array', items: { $ref: '#/$defs/node' } },
      },
    },
  },
}

const cases: Readonly<Record<string, Case>> = {
  'type string': {
    schema: { type: 'string' },
    good: ['', 'a'],
    bad: [1, true, null, [], {}, undefined, new Date(0), () => 1, 1n, Symbol('a')],
  },
  'type number': {
    schema: { type: 'number' },
    good: [0, -1.5, 1e300],
    bad: ['1', true, null, Number.NaN, Number.POSITIVE_INFINITY],
  },
  'type integer': { schema: { type: 'integer' }, good: [0, -3, 1.0, 1e20], bad: [1.5, '1', null] },
  'type boolean': { schema: { type: 'boolean' }, good: [true, false], bad: [0, 1, 'true', null] },
  'type null': { schema: { type: 'null' }, good: [null], bad: [0, '', false, undefined] },
  'type array': { schema: { type: 'array' }, good: [[], [1, 'a']], bad: [{}, { length: 0 }, 'a'] },
  'type object': {
    schema: { type: 'object' },
    good: [{}, { a: 1 }, Object.create(null)],
    bad: [[], null, 'a', new Map(), new Date(0)],
  },
  'several types': {
    schema: { type: ['string', 'null', 'integer'] },
    good: ['a', null, 1],
    bad: [1.5, true, []],
  },
  'no type': {
    schema: {},
    good: [1, 'a', null, true, [], { a: { b: 1 } }],
    bad: [undefined, Number.NaN, new Set()],
  },
  'enum of scalars': {
    schema: { enum: ['a', 1, null, false] },
    good: ['a', 1, 1.0, null, false],
    bad: ['1', 0, true, '', [], {}],
  },
  'enum of objects': {
    schema: { enum: [{ a: 1, b: [2] }, []] },
    good: [{ b: [2], a: 1 }, []],
    bad: [{ a: 1 }, { a: 1, b: [3] }, [1], {}],
  },
  'an empty enum': { schema: { enum: [] }, good: [], bad: [1, null, {}] },
  const: {
    schema: { const: { a: [1, null] } },
    good: [{ a: [1, null] }],
    bad: [{ a: [1] }, { a: [1, null], b: 1 }, null],
  },
  'const null': { schema: { const: null }, good: [null], bad: [0, false, ''] },
  'const 0': { schema: { const: 0 }, good: [0, -0], bad: [false, '0', null] },
  minimum: { schema: { minimum: 1.5 }, good: [1.5, 2, 'x'], bad: [1.4, -2] },
  maximum: { schema: { maximum: 3 }, good: [3, -1, null], bad: [3.01] },
  'exclusive bounds': {
    schema: { exclusiveMinimum: 0, exclusiveMaximum: 1 },
    good: [0.5],
    bad: [0, 1],
  },
  multipleOf: { schema: { multipleOf: 0.1 }, good: [0.3, 1.1, 0, -0.7, 'x'], bad: [0.35, 0.05] },
  'multipleOf of large numbers': {
    schema: { multipleOf: 0.01 },
    good: [19.99, 1e300],
    bad: [19.999],
  },
  'multipleOf an integer': { schema: { multipleOf: 3 }, good: [9, 0, -6], bad: [10, 1.5] },
  'lengths count characters, not code units': {
    schema: { minLength: 1, maxLength: 2 },
    good: ['a', 'ab', '😀😀', 5],
    bad: ['', 'abc', '😀😀😀'],
  },
  pattern: { schema: { pattern: '^a+$' }, good: ['a', 'aaa', 12], bad: ['', 'ab', 'ba'] },
  'a pattern is not anchored': { schema: { pattern: 'b' }, good: ['abc'], bad: ['ac'] },
  'a format of a text': {
    schema: { format: 'date' },
    good: ['2024-02-29', 5, null],
    bad: ['2023-02-29'],
  },
  'an unknown format says nothing': {
    schema: { type: 'string', format: 'int64-ish' },
    good: ['anything'],
    bad: [5],
  },
  'item counts': {
    schema: { minItems: 1, maxItems: 2 },
    good: [[1], [1, 2], 'x'],
    bad: [[], [1, 2, 3]],
  },
  uniqueItems: {
    schema: { uniqueItems: true },
    good: [[], [1, '1', true, null], [{ a: 1 }, { a: 2 }], [[1], [2]], [1, true], [0, false]],
    bad: [
      [1, 1.0],
      ['a', 'b', 'a'],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      [[1], [1]],
    ],
  },
  items: {
    schema: { items: { type: 'number' } },
    good: [[], [1, 2], {}],
    bad: [['a'], [1, null], [1, undefined]],
  },
  'items false': { schema: { items: false }, good: [[]], bad: [[1]] },
  prefixItems: {
    schema: { prefixItems: [{ type: 'number' }, { type: 'string' }] },
    good: [[], [1], [1, 'a'], [1, 'a', null]],
    bad: [['a'], [1, 2]],
  },
  'prefixItems and items': {
    schema: { prefixItems: [{ type: 'number' }], items: { type: 'string' } },
    good: [[1], [1, 'a', 'b']],
    bad: [[1, 2], ['a']],
  },
  'a tuple of draft 7': {
    schema: { items: [{ type: 'number' }], additionalItems: { type: 'string' } },
    good: [[1], [1, 'a']],
    bad: [['a'], [1, 2]],
  },
  contains: {
    schema: { contains: { type: 'number', minimum: 5 } },
    good: [[5], [1, 7], 'x'],
    bad: [[], [1, 2], ['9']],
  },
  'contains with bounds': {
    schema: { contains: { const: 1 }, minContains: 2, maxContains: 3 },
    good: [
      [1, 1],
      [1, 0, 1, 1],
    ],
    bad: [[1], [1, 1, 1, 1], []],
  },
  'minContains 0': {
    schema: { contains: { const: 1 }, minContains: 0 },
    good: [[], [2], [1]],
    bad: [],
  },
  'minContains without contains': { schema: { minContains: 2 }, good: [[], [1]], bad: [] },
  required: {
    schema: { required: ['a', 'toString'] },
    good: [{ a: 1, toString: 1 }, 5, []],
    bad: [{}, { a: 1 }, { toString: 1 }, { a: undefined, toString: 1 }],
  },
  properties: {
    schema: { properties: { a: { type: 'number' } }, ...open },
    good: [{}, { a: 1 }, { b: 'x' }, []],
    bad: [{ a: 'x' }],
  },
  'properties with names of Object.prototype': {
    schema: {
      properties: { toString: { type: 'number' }, constructor: { type: 'string' } },
      ...open,
    },
    good: [{}, { toString: 1 }, { constructor: 'a' }],
    bad: [{ toString: 'a' }, { constructor: 1 }],
  },
  'a property that may not be': {
    schema: { properties: { a: false }, ...open },
    good: [{}, { b: 1 }],
    bad: [{ a: null }],
  },
  patternProperties: {
    schema: { patternProperties: { '^n_': { type: 'number' }, x$: { maximum: 5 } }, ...open },
    good: [{ n_a: 1 }, { n_x: 3 }, { other: 'a' }],
    bad: [{ n_a: 'a' }, { n_x: 9 }],
  },
  'additionalProperties false': {
    schema: { properties: { a: {} }, patternProperties: { '^x': {} }, additionalProperties: false },
    good: [{}, { a: 1, x1: 2 }],
    bad: [{ b: 1 }, { a: 1, toString: 1 }],
  },
  'additionalProperties of a schema': {
    schema: { properties: { a: {} }, additionalProperties: { type: 'number' } },
    good: [{ a: 'x', b: 1 }],
    bad: [{ b: 'x' }],
  },
  propertyNames: {
    schema: { propertyNames: { maxLength: 2 } },
    good: [{}, { ab: 1 }],
    bad: [{ abc: 1 }],
  },
  'field counts': {
    schema: { minProperties: 1, maxProperties: 2 },
    good: [{ a: 1 }, { a: 1, b: 2 }, []],
    bad: [{}, { a: 1, b: 2, c: 3 }, { a: undefined }],
  },
  dependentRequired: {
    schema: { dependentRequired: { card: ['name', 'cvc'] } },
    good: [{}, { name: 1 }, { card: 1, name: 1, cvc: 1 }],
    bad: [{ card: 1 }, { card: 1, name: 1 }],
  },
  dependentSchemas: {
    schema: { dependentSchemas: { a: { required: ['b'], properties: { b: { type: 'number' } } } } },
    good: [{ b: 'x' }, { a: 1, b: 1 }],
    bad: [{ a: 1 }, { a: 1, b: 'x' }],
  },
  'dependencies of draft 7': {
    schema: { dependencies: { a: ['b'], c: { required: ['d'] } } },
    good: [{}, { a: 1, b: 1 }, { c: 1, d: 1 }],
    bad: [{ a: 1 }, { c: 1 }],
  },
  allOf: { schema: { allOf: [{ minimum: 1 }, { maximum: 5 }] }, good: [1, 5], bad: [0, 6] },
  anyOf: { schema: { anyOf: [{ type: 'string' }, { minimum: 5 }] }, good: ['a', 5], bad: [4] },
  'patterns decide between branches': {
    schema: {
      anyOf: [
        { type: 'string', pattern: '^a' },
        { type: 'string', pattern: 'b$' },
      ],
    },
    good: ['a', 'xb', 'ab'],
    bad: ['x'],
  },
  oneOf: {
    schema: { oneOf: [{ multipleOf: 2 }, { multipleOf: 3 }] },
    good: [2, 3, 4],
    bad: [6, 5],
  },
  'oneOf by pattern': {
    schema: { type: 'string', oneOf: [{ pattern: '^a' }, { pattern: 'b$' }] },
    good: ['a', 'b'],
    bad: ['ab', 'c'],
  },
  not: { schema: { not: { type: 'string', pattern: '^x' } }, good: ['a', 1], bad: ['x1'] },
  'not not': { schema: { not: { not: { type: 'string' } } }, good: ['a'], bad: [1] },
  'if then else': {
    schema: conditional({ type: 'number' }, { minimum: 5 }, { type: 'string', minLength: 2 }),
    good: [5, 'ab'],
    bad: [4, 'a', null],
  },
  'then without if says nothing': {
    schema: Object.fromEntries([
      ['then', false],
      ['else', false],
    ]),
    good: [1, 'a'],
    bad: [],
  },
  'true and false': {
    schema: { properties: { yes: true, no: false }, ...open },
    good: [{ yes: 1 }],
    bad: [{ no: 1 }],
  },
  'a reference to a definition': {
    schema: { $ref: '#/$defs/a', $defs: { a: { type: 'number' } } },
    good: [1],
    bad: ['a'],
  },
  'a reference with siblings': {
    schema: { $ref: '#/$defs/a', maximum: 5, $defs: { a: { type: 'number' } } },
    good: [1],
    bad: [6, 'a'],
  },
  'a reference to an anchor': {
    schema: { $ref: '#num', $defs: { a: { $anchor: 'num', type: 'number' } } },
    good: [1],
    bad: ['a'],
  },
  'a dynamic reference': {
    schema: { $dynamicRef: '#num', $defs: { a: { $dynamicAnchor: 'num', type: 'number' } } },
    good: [1],
    bad: ['a'],
  },
  'a reference through escapes': {
    schema: { $ref: '#/$defs/a~1b~0c%25%20d', $defs: { 'a/b~c% d': { type: 'number' } } },
    good: [1],
    bad: ['a'],
  },
  'a reference to a place no keyword has': {
    schema: {
      $ref: '#/components/schemas/A',
      components: { schemas: { A: { $ref: '#/components/schemas/B' }, B: { type: 'number' } } },
    },
    good: [1],
    bad: ['a'],
  },
  'a reference into definitions of draft 7': {
    schema: { $ref: '#/definitions/A', definitions: { A: { type: 'number' } } },
    good: [1],
    bad: ['a'],
  },
  'a property that is named $ref': {
    schema: { properties: { $ref: { type: 'string' } }, ...open },
    good: [{ $ref: 'http://elsewhere' }],
    bad: [{ $ref: 1 }],
  },
  'a reference to the whole': {
    schema: { type: 'object', properties: { child: { $ref: '#' } }, additionalProperties: false },
    good: [{}, { child: { child: {} } }],
    bad: [{ child: { x: 1 } }, { child: 1 }],
  },
  'a tree': {
    schema: tree,
    good: [{ v: 1 }, { v: 1, kids: [{ v: 2, kids: [] }] }],
    bad: [{}, { v: 1, kids: [{ kids: [] }] }, { v: 1, kids: [{ v: 1, kids: [{ v: 'x' }] }] }],
  },
  unevaluatedProperties: {
    schema: {
      allOf: [{ properties: { a: {} } }],
      anyOf: [{ properties: { b: { const: 1 } }, required: ['b'] }, true],
      properties: { c: {} },
      unevaluatedProperties: false,
    },
    good: [
      { a: 1, c: 1 },
      { a: 1, b: 1 },
    ],
    bad: [{ b: 2 }, { d: 1 }],
  },
  'unevaluatedProperties through a reference': {
    schema: {
      $ref: '#/$defs/base',
      unevaluatedProperties: { type: 'number' },
      $defs: { base: { properties: { a: {} } } },
    },
    good: [{ a: 'x', b: 1 }],
    bad: [{ b: 'x' }],
  },
  'unevaluatedProperties does not see into not': {
    schema: { not: { not: { properties: { a: {} } } }, unevaluatedProperties: false },
    good: [{}],
    bad: [{ a: 1 }],
  },
  'unevaluatedProperties sees what if has seen': {
    schema: {
      ...conditional(
        { properties: { a: { const: 1 } }, required: ['a'] },
        { properties: { b: {} } },
        true,
      ),
      unevaluatedProperties: false,
    },
    good: [{ a: 1, b: 1 }, {}],
    bad: [{ a: 2 }, { b: 1 }],
  },
  'unevaluatedProperties after additionalProperties': {
    schema: { additionalProperties: { type: 'number' }, unevaluatedProperties: false },
    good: [{ a: 1 }],
    bad: [{ a: 'x' }],
  },
  unevaluatedItems: {
    schema: { prefixItems: [{ type: 'number' }], unevaluatedItems: { type: 'string' } },
    good: [[1], [1, 'a']],
    bad: [[1, 2]],
  },
  'unevaluatedItems through a branch': {
    schema: {
      anyOf: [{ prefixItems: [true, { const: 'b' }] }, { prefixItems: [true] }],
      unevaluatedItems: false,
    },
    good: [[1], [1, 'b']],
    bad: [
      [1, 2],
      [1, 'b', 3],
    ],
  },
  'unevaluatedItems with contains': {
    schema: { contains: { type: 'number' }, unevaluatedItems: { type: 'string' } },
    good: [[1], [1, 'a', 2]],
    bad: [[1, null], ['a']],
  },
}

describe.each(Object.entries(cases))('%s', (_name, { schema, good, bad }) => {
  const { parse } = foreignSchemas().compile(schema)
  test('takes what fits, as it is', () => {
    for (const value of good) expect(parse(value)).toEqual({ ok: true, value })
  })
  test('refuses what does not', () => {
    expect(bad.filter((value) => parse(value).ok)).toEqual([])
  })
})

test('types are never converted', () => {
  const { parse } = foreignSchemas().compile({
    properties: {
      n: { type: 'number' },
      b: { type: 'boolean' },
      s: { type: 'string' },
      l: { type: 'array' },
    },
  })
  const wrong = parse({ n: '1', b: 'true', s: 1, l: 'a' })
  expect(wrong).toMatchObject({
    ok: false,
    problems: [{ kind: 'type' }, { kind: 'type' }, { kind: 'type' }, { kind: 'type' }],
  })
})

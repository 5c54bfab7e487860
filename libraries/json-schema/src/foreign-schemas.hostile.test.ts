import { isToolError } from '@surehand/core'
import { type JsonSchema, redact } from '@surehand/core/internal'
import { describe, expect, test } from 'vitest'
import { foreignSchemas } from './foreign-schemas.ts'

const { compile } = foreignSchemas()

function nestSchema(depth: number, wrap: (inner: JsonSchema) => JsonSchema): JsonSchema {
  return Array.from({ length: depth - 1 }).reduce<JsonSchema>(wrap, { type: 'string' })
}

function deep(levels: number, leaf: unknown = {}): unknown {
  let value = leaf
  for (let level = 0; level < levels; level++) value = { a: value }
  return value
}

/**
 * Work that is not bounded runs into the test's own time limit: seconds are asserted nowhere,
 * machines differ.
 */
function isBounded(work: () => void): void {
  work()
}

describe('a schema out of bounds is refused, naming the place', () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, true]))
  // each level looks twice at the next: 2^30 ways
  const laughs = Object.fromEntries(
    Array.from({ length: 30 }, (_, level) => [
      `l${level}`,
      { anyOf: [{ $ref: `#/$defs/l${level + 1}` }, { $ref: `#/$defs/l${level + 1}` }] },
    ]),
  )

  test.each<[string, JsonSchema, string]>([
    [
      'too deep',
      nestSchema(33, (inner) => ({ properties: { a: inner } })),
      '/properties/a is nested deeper than 32',
    ],
    [
      'too deep in lists',
      nestSchema(33, (inner) => ({ items: inner })),
      '/items is nested deeper than 32',
    ],
    [
      'too many subschemas',
      { properties: many(2_000) },
      '#/properties/f1999 is one subschema too many',
    ],
    [
      'branching without end',
      { $ref: '#/$defs/l0', $defs: { ...laughs, l30: { type: 'string' } } },
      'branches too much',
    ],
    ['referring to itself', { $ref: '#' }, '# refers to itself without going deeper'],
    [
      'referring to itself in a circle',
      {
        $ref: '#/$defs/a',
        $defs: { a: { allOf: [{ $ref: '#/$defs/b' }] }, b: { not: { $ref: '#/$defs/a' } } },
      },
      'refers to itself',
    ],
    [
      'referring to the net',
      { properties: { a: { $ref: 'https://example.com/a.json' } } },
      '#/properties/a/$ref refers to "https://example.com/a.json"',
    ],
    ['referring to a file', { $ref: 'other.json#/a' }, 'refers to "other.json#/a"'],
    ['referring to nothing', { $ref: '#/$defs/none' }, 'refers to "#/$defs/none"'],
    ['referring to an unknown anchor', { $ref: '#none' }, 'refers to "#none"'],
    ['referring to a prototype', { $ref: '#/__proto__' }, 'refers to "#/__proto__"'],
    ['referring to a text', { $ref: '#/title', title: 'x' }, 'refers to "#/title"'],
    ['referring by a broken escape', { $ref: '#/%zz' }, 'refers to "#/%zz"'],
    [
      'a document within',
      { $defs: { a: { $id: 'https://example.com/b' } } },
      '#/$defs/a/$id begins a document of its own',
    ],
    [
      'one anchor twice',
      { $defs: { a: { $anchor: 'x' }, b: { $anchor: 'x' } } },
      '#/$defs/b/$anchor uses the anchor "x" a second time',
    ],
    [
      'an enum without end',
      { enum: Array.from({ length: 10_001 }, (_, index) => index) },
      '#/enum lists more than 10000 values',
    ],
    [
      'a regex of great size',
      { pattern: '(?:(?:a|b|ab|ba|aba|bab){1,30}){1,30}c' },
      '#/pattern repeats too much',
    ],
    [
      'regexes of great size in sum',
      {
        properties: Object.fromEntries(
          Array.from({ length: 20 }, (_, index) => [
            `p${index}`,
            { pattern: `(?:x${index}[ab]?){600}` },
          ]),
        ),
      },
      'one pattern too many',
    ],
    [
      'a field __proto__',
      JSON.parse('{"properties":{"__proto__":{"type":"string"}}}'),
      '#/properties/__proto__ names a field "__proto__"',
    ],
    ['a required __proto__', { required: ['__proto__'] }, '#/required names a field "__proto__"'],
    [
      'an invisible place',
      { properties: { 'a\u200b': 5 } },
      '#/properties/a⟨U+200B⟩ must be a schema',
    ],
    ['a schema that is a list', { properties: { a: [] } }, '#/properties/a must be a schema'],
    ['an unknown type', { type: 'text' }, '#/type must be one or more of string'],
    ['no type', { type: [] }, '#/type must be one or more'],
    ['a length that is a text', { minLength: '1' }, '#/minLength must be a whole number from 0'],
    ['a negative length', { maxLength: -1 }, '#/maxLength must be a whole number from 0'],
    ['a bound that is true', { exclusiveMinimum: true }, '#/exclusiveMinimum must be a number'],
    ['a multiple of nothing', { multipleOf: 0 }, '#/multipleOf must be a number above 0'],
    [
      'required: true',
      { properties: { a: { required: true } } },
      '#/properties/a/required must be a list of names',
    ],
    ['anyOf nothing', { anyOf: [] }, '#/anyOf must be a list of schemas'],
    ['anyOf an object', { anyOf: {} }, '#/anyOf must be a list of schemas'],
    ['properties in a list', { properties: [] }, '#/properties must be an object of schemas'],
    ['a reference that is no text', { $ref: 5 }, '#/$ref must be a text'],
    ['a pattern that is no text', { pattern: {} }, '#/pattern must be a text'],
  ])('%s', (_name, schema, message) => {
    isBounded(() => {
      const thrown = (() => {
        try {
          return compile(schema)
        } catch (error) {
          return error
        }
      })()
      expect(isToolError(thrown) ? [thrown.code, thrown.message] : thrown).toEqual([
        'TOOL_CONFIGURATION_ERROR',
        expect.stringContaining(message),
      ])
    })
  })

  test('a schema that holds itself is refused, not followed', () => {
    const schema: Record<string, unknown> = { type: 'object' }
    schema.properties = { a: schema }
    expect(() => compile(schema)).toThrow('nested deeper than 32')
  })

  test('right at the bounds it is taken', () => {
    expect(compile(nestSchema(32, (inner) => ({ items: inner }))).parse([]).ok).toBe(true)
    expect(compile({ properties: many(1_999) }).parse({ f7: 1, g: 2 })).toEqual({
      ok: true,
      value: { f7: 1 },
    })
    expect(
      compile({ enum: Array.from({ length: 10_000 }, (_, index) => index) }).parse(9_999).ok,
    ).toBe(true)
  })
})

describe('a schema that refers to itself', () => {
  test('twice a level is checked in time that grows with the depth, not with two to its power', () => {
    const { parse, shape } = compile({
      anyOf: [
        { properties: { a: { $ref: '#' }, b: { const: 1 } }, required: ['b'] },
        { properties: { a: { $ref: '#' }, c: { const: 1 } } },
        { properties: { a: { $ref: '#' } } },
      ],
    })
    const value = deep(60)
    isBounded(() => expect(parse(value).ok).toBe(true))
    isBounded(() => expect(redact(shape, value)).toEqual(value))
  })

  test('and fails at the bottom fails in bounded time', () => {
    const { parse } = compile({
      oneOf: [
        { type: 'string' },
        { properties: { a: { $ref: '#' } }, type: 'object' },
        { properties: { a: { $ref: '#' } }, type: 'object', required: ['x'] },
      ],
    })
    isBounded(() => expect(parse(deep(60, 5)).ok).toBe(false))
  })

  test('hides secrets in time that grows with the depth', () => {
    const { shape } = compile({
      properties: { a: { $ref: '#' }, key: { writeOnly: true } },
      additionalProperties: { $ref: '#' },
      allOf: [{ properties: { a: { anyOf: [{ $ref: '#/properties/a' }, { type: 'string' }] } } }],
    })
    isBounded(() =>
      expect(JSON.stringify(redact(shape, deep(60, { key: 's3cret' })))).not.toContain('s3cret'),
    )
  })

  test('has a value of hundreds of levels refused, not the stack overflown', () => {
    const { parse } = compile({ properties: { a: { $ref: '#' } } })
    expect(parse(deep(100_000))).toEqual({
      ok: false,
      problems: [
        {
          kind: 'value',
          field: '',
          error: 'is nested too deeply to be checked against this schema',
          provided_value: null,
        },
      ],
    })
  })

  test('fills defaults in bounded time', () => {
    const child = { $ref: '#', default: {} }
    const { parse } = compile({
      type: 'object',
      properties: { a: child, b: { ...child }, c: { ...child }, d: { ...child } },
      additionalProperties: false,
    })
    isBounded(() => expect(parse({}).ok).toBe(true))
  })

  test('and multiplies its defaults is not followed', () => {
    const levels = Object.fromEntries(
      Array.from({ length: 25 }, (_, level) => {
        const next = { $ref: `#/$defs/l${level + 1}`, default: {} }
        return [`l${level}`, { type: 'object', properties: { a: next, b: { ...next } } }]
      }),
    )
    const { parse } = compile({ $ref: '#/$defs/l0', $defs: { ...levels, l25: { type: 'object' } } })
    isBounded(() => parse({}))
  })
})

describe('a value that is much work', () => {
  test('is refused when the work is out of proportion', () => {
    const branches = Array.from({ length: 1_500 }, (_, index) => ({
      type: 'string',
      minLength: index,
    }))
    const { parse } = compile({ items: { oneOf: branches } })
    isBounded(() =>
      expect(parse(Array.from({ length: 100_000 }, () => 1))).toMatchObject({
        problems: [{ error: 'is too much work to check against this schema' }],
      }),
    )
  })

  test('is checked when it is only large', () => {
    const numbers = Array.from({ length: 200_000 }, (_, index) => index)
    const { parse } = compile({
      type: 'array',
      uniqueItems: true,
      items: { type: 'integer', minimum: 0 },
    })
    isBounded(() => expect(parse(numbers).ok).toBe(true))
  })

  test('has its repetitions found in one pass', () => {
    const objects = Array.from({ length: 20_000 }, (_, index) => ({
      index,
      more: ['a', { b: index }],
    }))
    const { parse } = compile({ uniqueItems: true })
    isBounded(() => expect(parse(objects).ok).toBe(true))
    isBounded(() => expect(parse([...objects, { more: ['a', { b: 7 }], index: 7 }]).ok).toBe(false))
  })

  test('does not hang in a pattern, however it was written', () => {
    const { parse } = compile({
      properties: { a: { pattern: '^(a+)+$' }, b: { pattern: '^(([a-z])+.)+[A-Z]([a-z])+$' } },
      patternProperties: { '^(x+x+)+y$': {} },
    })
    isBounded(() =>
      parse({ a: `${'a'.repeat(50_000)}!`, b: 'a'.repeat(50_000), [`${'x'.repeat(20_000)}`]: 1 }),
    )
  })

  test('does not hang in a pattern that is large and linear', () => {
    const { parse } = compile({ type: 'string', pattern: 'a[ab]{950}[cd]' })
    const text = Array.from({ length: 1 << 20 }, (_, index) =>
      (index * 2_654_435_761) % 7 > 3 ? 'a' : 'b',
    ).join('')
    isBounded(() =>
      expect(parse(text)).toMatchObject({
        problems: [{ error: 'is too much work to check against this schema' }],
      }),
    )
  })

  test('does not hang in a format', () => {
    const { parse } = compile({
      items: {
        anyOf: [{ format: 'email' }, { format: 'uri' }, { format: 'url' }, { format: 'date-time' }],
      },
    })
    isBounded(() =>
      parse([`http://${'a'.repeat(36)}!`, `a@${'a-'.repeat(100_000)}`, 't'.repeat(500_000)]),
    )
  })
})

describe('names of Object.prototype', () => {
  test('are names like others', () => {
    const { parse } = compile({
      required: ['toString', 'hasOwnProperty'],
      properties: { toString: { type: 'string' }, valueOf: { default: 1 } },
    })
    expect(parse({})).toMatchObject({
      problems: [{ field: 'toString' }, { field: 'hasOwnProperty' }],
    })
    expect(parse({ toString: 'a', hasOwnProperty: 1, constructor: 2 })).toEqual({
      ok: true,
      value: { toString: 'a', hasOwnProperty: 1, valueOf: 1 },
    })
  })

  test('__proto__ never becomes a field of what is handed on', () => {
    const hostile = JSON.parse('{"a":1,"__proto__":{"admin":true}}')
    expect(compile({ properties: { a: {} } }).parse(hostile)).toMatchObject({
      ok: false,
      problems: [{ kind: 'unknown', field: '__proto__' }],
    })
    expect(compile({ properties: { a: {} }, additionalProperties: true }).parse(hostile).ok).toBe(
      false,
    )
    expect(compile({ patternProperties: { '^_': {} } }).parse(hostile).ok).toBe(false)
    const inner = compile({ properties: { a: { default: 1 }, free: { type: 'object' } } }).parse({
      free: hostile,
    })
    expect(inner).toMatchObject({ ok: true })
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
  })
})

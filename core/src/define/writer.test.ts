import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { canonicalJson } from '../call/canonical.ts'
import { readShape } from './shape.ts'
import { compileWriter } from './writer.ts'

/** RFC 8785 said in the plainest way. */
function reference(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(reference).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  members.sort(([left], [right]) => (left < right ? -1 : 1))
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${reference(member)}`).join(',')}}`
}

type Made = { readonly schema: z.ZodType; readonly value: fc.Arbitrary<unknown> }

const text = fc.string({ unit: 'binary', maxLength: 12 })
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(-0, 1e21, 1e-7, 5e-324, 2 ** 53),
)
const name = fc
  .oneof(text, fc.constantFrom('10', '9', 'ﬀ', '😀', '\uffff', 'value', 'out', '"', '\\', '\n'))
  .filter((key) => !(key in Object.prototype))

const scalar: fc.Arbitrary<Made> = fc.constantFrom<Made>(
  { schema: z.string(), value: text },
  { schema: z.number(), value: number },
  { schema: z.boolean(), value: fc.boolean() },
  { schema: z.null(), value: fc.constant(null) },
  { schema: z.enum(['a', 'b']), value: fc.constantFrom('a', 'b') },
  { schema: z.literal(7), value: fc.constant(7) },
  { schema: z.json(), value: fc.jsonValue({ maxDepth: 2 }) },
)

const field = (made: Made): fc.Arbitrary<Made & { readonly optional: boolean }> =>
  fc.boolean().map((optional) => ({
    schema: optional ? made.schema.optional() : made.schema,
    value: made.value,
    optional,
  }))

function objectOf(fields: Record<string, Made & { readonly optional: boolean }>): Made {
  const values = Object.entries(fields).map(([key, { value, optional }]) => {
    const entry = value.map((member) => [[key, member] as const])
    return optional
      ? fc.oneof(entry, fc.constant([]), fc.constant([[key, undefined] as const]))
      : entry
  })
  const schema = z.object(
    Object.fromEntries(Object.entries(fields).map(([key, made]) => [key, made.schema])),
  )
  return { schema, value: fc.tuple(...values).map((entries) => Object.fromEntries(entries.flat())) }
}

const { made } = fc.letrec<{ made: Made }>((tie) => ({
  made: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalar,
    tie('made').map((item) => ({
      schema: z.array(item.schema),
      value: fc.array(item.value, { maxLength: 4 }),
    })),
    tie('made').map((item) => ({ schema: item.schema.nullable(), value: fc.option(item.value) })),
    tie('made').map((item) => ({
      schema: z.record(z.string(), item.schema),
      value: fc.dictionary(name, item.value, { maxKeys: 4, noNullPrototype: true }),
    })),
    fc.tuple(tie('made'), tie('made')).map(([left, right]) => ({
      schema: z.tuple([left.schema, right.schema]),
      value: fc.tuple(left.value, right.value),
    })),
    fc.tuple(tie('made'), tie('made')).map(([left, right]) => ({
      schema: z.union([left.schema, right.schema]),
      value: fc.oneof(left.value, right.value),
    })),
    fc
      .dictionary(name, tie('made').chain(field), { maxKeys: 5, noNullPrototype: true })
      .map(objectOf),
  ),
}))

test('whatever the schema and the value, a compiled writer writes RFC 8785', () => {
  const both = made.chain(({ schema, value }) => value.map((one) => ({ schema, value: one })))
  fc.assert(
    fc.property(both, ({ schema, value }) => {
      const write = compileWriter(readShape(schema))(value).text
      expect(write).toBe(reference(value))
      expect(write).toBe(canonicalJson(value))
    }),
    { numRuns: 1_000 },
  )
})

const writeWith = (schema: z.ZodType, value: unknown, omit?: ReadonlySet<string>) =>
  compileWriter(readShape(schema), omit)(value).text

describe('keys', () => {
  test('are sorted by UTF-16 code units, whatever the order of the fields', () => {
    const schema = z.object({
      '\ufb33': z.number(),
      '😀': z.number(),
      '€': z.number(),
      b: z.number(),
      B: z.number(),
      '10': z.number(),
      '9': z.number(),
    })
    const value = { '\ufb33': 1, '😀': 2, '€': 3, b: 4, B: 5, '10': 6, '9': 7 }
    expect(writeWith(schema, value)).toBe('{"10":6,"9":7,"B":5,"b":4,"€":3,"😀":2,"\ufb33":1}')
  })

  test('that are missing leave no comma behind', () => {
    const schema = z.object({
      a: z.string().optional(),
      b: z.string().optional(),
      c: z.string().optional(),
    })
    expect(writeWith(schema, {})).toBe('{}')
    expect(writeWith(schema, { b: 'x' })).toBe('{"b":"x"}')
    expect(writeWith(schema, { a: 'x', c: 'y' })).toBe('{"a":"x","c":"y"}')
  })

  test('with signs of the source language are no code', () => {
    const hostile = '"]);globalThis.hacked=true;(["'
    expect(writeWith(z.object({ [hostile]: z.string() }), { [hostile]: 'x' })).toBe(
      `{${JSON.stringify(hostile)}:"x"}`,
    )
    expect(globalThis).not.toHaveProperty('hacked')
  })

  test('called __proto__ are written when they are there', () => {
    expect(
      writeWith(
        z.object({ ['__proto__']: z.string().optional() }),
        JSON.parse('{"__proto__":"x"}'),
      ),
    ).toBe('{"__proto__":"x"}')
  })

  test.each(['__proto__', 'constructor', 'toString'])(
    'called %s are left out when they are missing, though every object has one',
    (key) => {
      for (const schema of [z.string(), z.object({ a: z.string() })])
        expect(writeWith(z.object({ [key]: schema.optional() }), {})).toBe('{}')
    },
  )
})

describe('what is left out', () => {
  test.each([
    ['an object', z.object({ key: z.string(), a: z.number() })],
    ['an open object', z.looseObject({ key: z.string(), a: z.number() })],
  ])('at the top of %s', (_what, schema) => {
    expect(writeWith(schema, { key: 'k1', a: 1 }, new Set(['key']))).toBe('{"a":1}')
  })

  test('is kept further inside', () => {
    const schema = z.object({ key: z.string(), inner: z.object({ key: z.string() }) })
    expect(writeWith(schema, { key: 'k1', inner: { key: 'k2' } }, new Set(['key']))).toBe(
      '{"inner":{"key":"k2"}}',
    )
  })
})

test.each([
  ['"\\/\b\f\n\r\t\u0000\u001f', '"\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f"'],
  ['\u007f\u0080\u2028', '"\u007f\u0080\u2028"'],
  ['😀', '"😀"'],
])('the text %j is escaped as the RFC says', (value, expected) => {
  expect(writeWith(z.object({ value: z.string() }), { value })).toBe(`{"value":${expected}}`)
})

test('a change of the value after it was written is not in its text', () => {
  const schema = z.object({
    b: z.array(z.string()),
    a: z.object({ c: z.number(), d: z.string().optional() }),
    e: z.array(z.object({ f: z.string().nullable() })),
  })
  const value = { b: ['x'], a: { c: 1 } as Record<string, unknown>, e: [{ f: null as unknown }] }
  const written = compileWriter(readShape(schema))(value)
  value.b.push('y')
  value.a.d = 'late'
  value.e[0] = { f: 'late' }
  expect(written.text).toBe('{"a":{"c":1},"b":["x"],"e":[{"f":null}]}')
  expect(written.bytes).toBe(40)
})

test('a text is longer than a number of bytes exactly when it has more', () => {
  const both = made.chain(({ schema, value }) => value.map((one) => ({ schema, value: one })))
  fc.assert(
    fc.property(both, fc.nat(200), ({ schema, value }, bytes) => {
      const written = compileWriter(readShape(schema))(value)
      expect(written.isLongerThan(bytes)).toBe(Buffer.byteLength(reference(value)) > bytes)
      const exact = Buffer.byteLength(reference(value))
      expect(compileWriter(readShape(schema))(value).isLongerThan(exact - 1)).toBe(true)
    }),
    { numRuns: 500 },
  )
})

test('half a character is refused in a text and in a key', () => {
  expect(() => writeWith(z.array(z.string()), ['\ud800'])).toThrow(/lone surrogate/)
  expect(() => writeWith(z.record(z.string(), z.string()), { '\udc00': 'x' })).toThrow(
    /lone surrogate/,
  )
})

test.each([
  [-0, '0'],
  [1e21, '1e+21'],
  [1e-7, '1e-7'],
  [5e-324, '5e-324'],
  [0.1 + 0.2, '0.30000000000000004'],
])('the number %d is written %s', (value, expected) => {
  expect(writeWith(z.array(z.number()), [value])).toBe(`[${expected}]`)
})

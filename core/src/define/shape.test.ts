import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readShape } from './shape.ts'

const readField = (schema: z.ZodType) => readShape(z.object({ field: schema }))

describe('a schema whose result is not plain JSON is refused, with the field and what to do', () => {
  test.each([
    ['a date', z.date(), 'uses z.date: use Rfc3339DateTime.'],
    ['a bigint', z.bigint(), 'uses z.bigint: use a string of digits.'],
    [
      'a transform',
      z.string().transform(Number),
      'uses z.pipe: transforms, codecs and preprocess belong in execute.',
    ],
    ['a bare transform', z.transform(String), 'uses z.transform: transforms belong in execute.'],
    [
      'a preprocess',
      z.preprocess(String, z.string()),
      'uses z.pipe: transforms, codecs and preprocess belong in execute.',
    ],
    [
      'a codec',
      z.codec(z.string(), z.number(), { decode: Number, encode: String }),
      'uses z.pipe: transforms, codecs and preprocess belong in execute.',
    ],
    ['a coerced text', z.coerce.string(), 'coerces its input: take the type as it is.'],
    ['a coerced number', z.coerce.number(), 'coerces its input: take the type as it is.'],
    ['a coerced boolean', z.coerce.boolean(), 'coerces its input: take the type as it is.'],
    [
      'a catch',
      z.string().catch('x'),
      'uses z.catch: a wrong value must be refused, not replaced.',
    ],
    ['a custom check', z.custom<string>(), 'uses z.custom: use a JSON type with .refine.'],
    ['an instance', z.instanceof(URL), 'uses z.custom: use a JSON type with .refine.'],
    ['a map', z.map(z.string(), z.string()), 'uses z.map: use z.record.'],
    ['a set', z.set(z.string()), 'uses z.set: use z.array.'],
    ['undefined', z.undefined(), 'uses z.undefined: use plain JSON types.'],
    ['a symbol', z.symbol(), 'uses z.symbol: use plain JSON types.'],
    ['NaN', z.nan(), 'uses z.nan: use plain JSON types.'],
    ['a promise', z.promise(z.string()), 'uses z.promise: use plain JSON types.'],
  ])('%s', (_what, schema, trouble) => {
    expect(() => readField(schema)).toThrow(new TypeError(`The field "field" ${trouble}`))
  })

  test('a literal that JSON cannot say', () => {
    expect(() => readField(z.literal(1n))).toThrow(TypeError)
  })
})

describe('a schema that would read the same input differently another time is refused', () => {
  const changing = new TypeError(
    'The field "field" has a default that changes from call to call: use a constant, or fill it in execute.',
  )

  test.each([
    ['the time', z.number().default(() => Date.now())],
    ['the time as text', z.iso.datetime().default(() => new Date().toISOString())],
    ['the time before parsing', z.string().prefault(() => new Date().toISOString())],
    ['a fresh UUID', z.string().default(() => crypto.randomUUID())],
    ['chance', z.number().default(() => Math.random())],
    [
      'chance, deep inside',
      z.object({ ids: z.array(z.string()) }).default(() => ({ ids: [crypto.randomUUID()] })),
    ],
  ])('a default of %s', (_what, schema) => {
    expect(() => readField(schema)).toThrow(changing)
  })

  test.each([
    [
      'the minute, deep inside',
      z
        .object({ at: z.number() })
        .default(() => ({ at: Math.floor(Date.now() / 60_000) * 60_000 })),
    ],
    ['the time in seconds', z.number().default(() => Math.floor(Date.now() / 1000))],
    ['an hour from now', z.number().default(() => (Math.floor(Date.now() / 60_000) + 60) * 60_000)],
    ["today's date", z.iso.date().default(() => new Date().toISOString().slice(0, 10))],
  ])('a default that follows the clock: %s', (_what, schema) => {
    expect(() => readField(schema)).toThrow(changing)
  })

  test.each([
    ['appends', z.string().overwrite((text) => `${text}!`)],
    ['counts up', z.number().overwrite((count) => count + 1)],
    [
      'sorts a list, which only execute may do',
      z.array(z.string()).overwrite((words) => words.toSorted()),
    ],
    ['draws a value', z.string().overwrite((text) => (text === '' ? crypto.randomUUID() : text))],
  ])('an overwrite that %s', (_what, schema) => {
    expect(() => readField(schema)).toThrow(
      'The field "field" overwrites its value differently each time it is parsed: trim and case changes are fine, others belong in execute.',
    )
  })
})

describe('the field is named by its path', () => {
  test.each([
    ['an object', z.object({ at: z.date() }), 'field.at'],
    ['a list', z.array(z.date()), 'field.[]'],
    ['a record', z.record(z.string(), z.array(z.object({ at: z.date() }))), 'field.{}.[].at'],
    ['a tuple', z.tuple([z.string(), z.date()]), 'field.[]'],
    ["a tuple's rest", z.tuple([z.string()], z.date()), 'field.[]'],
    ['a union', z.union([z.string(), z.object({ at: z.date() })]), 'field.at'],
    [
      'an intersection',
      z.intersection(z.object({ a: z.string() }), z.object({ at: z.date() })),
      'field.at',
    ],
    ['wrappers', z.date().optional().nullable().default(null).readonly(), 'field'],
    ['a lazy schema', z.lazy(() => z.object({ at: z.date() })), 'field.at'],
  ])('inside %s', (_where, schema, path) => {
    expect(() => readField(schema)).toThrow(`The field "${path}" uses z.date`)
  })

  test('and the whole schema as such', () => {
    expect(() => readShape(z.date())).toThrow('The schema uses z.date')
  })
})

describe('no corner is left out', () => {
  test.each([
    [
      'the keys of a record',
      z.record(
        z.string().transform((key) => key.toUpperCase()),
        z.string(),
      ),
    ],
    ['the further keys of an open object', z.object({}).catchall(z.date())],
  ])('%s are read too', (_where, schema) => {
    expect(() => readField(schema as z.ZodType)).toThrow(TypeError)
  })
})

describe('what is plain and stable is accepted', () => {
  const Tree: z.ZodType = z.lazy(() => z.object({ name: z.string(), children: z.array(Tree) }))
  const Chain = z.object({
    value: z.string(),
    get next() {
      return Chain.optional()
    },
  })

  test.each([
    ['trimmed text', z.string().trim()],
    ['lower case', z.string().toLowerCase()],
    ['upper case', z.string().toUpperCase()],
    ['normalised text', z.string().normalize('NFC')],
    ['formats', z.union([z.email(), z.uuid(), z.url(), z.iso.date(), z.ipv4()])],
    ['refined text', z.string().refine((text) => text !== 'x')],
    ['whole numbers', z.int().min(1)],
    ['literals and enums', z.union([z.literal(['a', 1, true, null]), z.enum(['x', 'y'])])],
    [
      'a discriminated union',
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('a') }),
        z.object({ kind: z.literal('b') }),
      ]),
    ],
    ['a tuple with a rest', z.tuple([z.string(), z.number().optional()], z.boolean())],
    ['a record', z.record(z.enum(['a', 'b']), z.number())],
    ['a template', z.templateLiteral(['order-', z.number()])],
    ['read-only and branded', z.array(z.string().brand<'Id'>()).readonly()],
    [
      'constant defaults',
      z
        .object({ a: z.number().default(5), b: z.array(z.string()).default(['x']) })
        .default({ a: 1, b: [] }),
    ],
    ['a constant time', z.iso.datetime().default('2020-01-01T00:00:00Z')],
    ['a lazy tree', Tree],
    ['a chain that names itself', Chain],
    ['any JSON', z.json()],
    ['open and strict objects', z.object({ open: z.looseObject({}), strict: z.strictObject({}) })],
  ])('%s', (_what, schema) => {
    expect(() => readField(schema)).not.toThrow()
  })
})

test('a shape lists the fields, and which of them may be missing', () => {
  const schema = z.object({
    id: z.string(),
    note: z.string().optional(),
    seats: z.number().default(1),
    gift: z.boolean().nullable(),
  })
  expect(readShape(schema)).toMatchObject({
    kind: 'object',
    sensitive: false,
    fields: [
      { name: 'id', optional: false, shape: { kind: 'string', sensitive: false } },
      { name: 'note', optional: true, shape: { kind: 'string', sensitive: false } },
      { name: 'seats', optional: false, shape: { kind: 'number', sensitive: false } },
      {
        name: 'gift',
        optional: false,
        shape: { kind: 'nullable', sensitive: false, inner: { kind: 'boolean', sensitive: false } },
      },
    ],
  })
})

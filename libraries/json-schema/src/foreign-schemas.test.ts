import { canonicalJson, digestOf, HIDDEN, redact } from '@surehand/core/internal'
import type { ForeignSchemas } from '@surehand/core/ports'
import { describe, expect, test } from 'vitest'
import type { Loss } from './analyze-schema.ts'
import { foreignSchemas } from './foreign-schemas.ts'

const { compile } = foreignSchemas()

test('it is the port of core', () => {
  const port: ForeignSchemas = foreignSchemas()
  expect(port.compile({ type: 'string' }).parse('a')).toEqual({ ok: true, value: 'a' })
})

describe('defaults', () => {
  test('of absent fields are filled in, at any depth and in the items of lists', () => {
    const { parse } = compile({
      type: 'object',
      properties: {
        unit: { type: 'string', default: 'C' },
        days: {
          type: 'array',
          items: { type: 'object', properties: { hour: { type: 'integer', default: 12 } } },
        },
        place: { type: 'object', properties: { country: { type: 'string', default: 'DE' } } },
      },
    })
    expect(parse({ days: [{}, { hour: 3 }], place: {} })).toEqual({
      ok: true,
      value: { unit: 'C', days: [{ hour: 12 }, { hour: 3 }], place: { country: 'DE' } },
    })
  })

  test('are not filled into an object that is absent itself', () => {
    const { parse } = compile({
      properties: { place: { type: 'object', properties: { country: { default: 'DE' } } } },
    })
    expect(parse({})).toEqual({ ok: true, value: {} })
  })

  test('are filled within a default', () => {
    const { parse } = compile({
      properties: { page: { type: 'object', default: {}, properties: { size: { default: 20 } } } },
    })
    expect(parse({})).toEqual({ ok: true, value: { page: { size: 20 } } })
  })

  test('come through references and allOf, the nearest first', () => {
    const { parse } = compile({
      properties: {
        a: { $ref: '#/$defs/n' },
        b: { $ref: '#/$defs/n', default: 2 },
        c: { allOf: [{ $ref: '#/$defs/n' }] },
      },
      allOf: [{ properties: { d: { default: null } } }],
      $defs: { n: { type: 'number', default: 1 } },
    })
    expect(parse({})).toEqual({ ok: true, value: { a: 1, b: 2, c: 1, d: null } })
  })

  test('satisfy what is required', () => {
    expect(compile({ required: ['a'], properties: { a: { default: 1 } } }).parse({})).toEqual({
      ok: true,
      value: { a: 1 },
    })
  })

  test('that do not fit their own schema are left out, so that a careless author does not break every call', () => {
    expect(compile({ properties: { a: { type: 'boolean', default: 'false' } } }).parse({})).toEqual(
      { ok: true, value: {} },
    )
  })

  test('of a branch are left out: which branch applies is for the value to say', () => {
    const { parse } = compile({
      anyOf: [{ properties: { a: { default: 1 } } }, { required: ['b'] }],
    })
    expect(parse({})).toEqual({ ok: true, value: {} })
  })

  test('within themselves end', () => {
    const { parse } = compile({
      $ref: '#/$defs/n',
      $defs: { n: { type: 'object', properties: { child: { $ref: '#/$defs/n', default: {} } } } },
    })
    expect(parse({})).toMatchObject({ ok: true })
  })

  test('of one call are not those of the next', () => {
    const { parse } = compile({ properties: { tags: { type: 'array', default: ['a'] } } })
    const first = parse({})
    if (first.ok) (first.value as { tags: string[] }).tags.push('b')
    expect(parse({})).toEqual({ ok: true, value: { tags: ['a'] } })
  })

  test('leave the given value as it was', () => {
    const given = { inner: {} }
    compile({ properties: { inner: { properties: { a: { default: 1 } } } } }).parse(given)
    expect(given).toEqual({ inner: {} })
  })
})

describe('unknown keys', () => {
  const fields = { properties: { a: { type: 'number' } } }

  test('are stripped at any depth where fields are listed', () => {
    const { parse } = compile({
      properties: { ...fields.properties, inner: fields, list: { items: fields } },
    })
    expect(parse({ a: 1, b: 2, inner: { a: 1, b: 2 }, list: [{ b: 2 }] })).toEqual({
      ok: true,
      value: { a: 1, inner: { a: 1 }, list: [{}] },
    })
  })

  test('are kept where no fields are listed: the object is free', () => {
    expect(compile({ type: 'object' }).parse({ a: { b: 1 } })).toEqual({
      ok: true,
      value: { a: { b: 1 } },
    })
    expect(compile({ properties: {} }).parse({ a: 1 })).toEqual({ ok: true, value: {} })
  })

  test('are kept by additionalProperties true or a schema, and refused by false', () => {
    expect(compile({ ...fields, additionalProperties: true }).parse({ b: 2 })).toEqual({
      ok: true,
      value: { b: 2 },
    })
    expect(
      compile({ ...fields, additionalProperties: { type: 'number' } }).parse({ b: 2 }),
    ).toEqual({ ok: true, value: { b: 2 } })
    expect(compile({ ...fields, additionalProperties: false }).parse({ b: 2 })).toEqual({
      ok: false,
      problems: [
        { kind: 'unknown', field: 'b', error: 'is not a field of this tool', provided_value: 2 },
      ],
    })
  })

  test('are what none of the subschemas that fit has listed', () => {
    const { parse } = compile({
      properties: { kind: { type: 'string' } },
      anyOf: [
        { properties: { kind: { const: 'x' }, x: {} }, required: ['kind'] },
        { properties: { kind: { const: 'y' }, y: {} }, required: ['kind'] },
      ],
      allOf: [{ patternProperties: { '^meta_': {} } }],
      required: ['kind', 'id'],
    })
    expect(parse({ kind: 'x', id: 1, x: 1, y: 2, meta_a: 3, z: 4 })).toEqual({
      ok: true,
      value: { kind: 'x', id: 1, x: 1, meta_a: 3 },
    })
  })

  test('count for nothing: a value that needs them to fit does not fit', () => {
    expect(compile({ ...fields, minProperties: 1 }).parse({ b: 2 })).toMatchObject({
      ok: false,
      problems: [{ error: 'must have at least 1 field' }],
    })
  })

  test('at the top are refused where the tool says so', () => {
    const { parse } = compile({ properties: { a: fields } }, { refuseUnknown: true })
    expect(parse({ a: { b: 1 } })).toEqual({ ok: true, value: { a: {} } })
    expect(parse({ b: 1 })).toMatchObject({
      ok: false,
      problems: [{ kind: 'unknown', field: 'b' }],
    })
  })
})

describe('problems', () => {
  test('name the field, what was expected and what was given', () => {
    const { parse } = compile({
      type: 'object',
      required: ['name', 'anything'],
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 200 },
        lines: {
          type: 'array',
          items: {
            type: 'object',
            required: ['id'],
            properties: {
              id: { type: 'string', format: 'uuid' },
              count: { type: 'integer', minimum: 1 },
            },
          },
        },
        when: { type: 'string', format: 'date' },
      },
    })
    expect(
      parse({ lines: [{ count: 0 }, { id: 5, count: 1.5 }, { id: 'x' }], when: 'today' }),
    ).toEqual({
      ok: false,
      problems: [
        {
          kind: 'missing',
          field: 'name',
          error: 'is required: expected a string of 1 to 200 characters',
          provided_value: null,
        },
        { kind: 'missing', field: 'anything', error: 'is required', provided_value: null },
        {
          kind: 'missing',
          field: 'lines[0].id',
          error: 'is required: expected a UUID',
          provided_value: null,
        },
        { kind: 'value', field: 'lines[0].count', error: 'must be at least 1', provided_value: 0 },
        {
          kind: 'type',
          field: 'lines[1].id',
          error: 'expected a UUID, got a number',
          provided_value: 5,
        },
        {
          kind: 'type',
          field: 'lines[1].count',
          error: 'expected an integer of at least 1, got a fraction',
          provided_value: 1.5,
        },
        { kind: 'value', field: 'lines[2].id', error: 'must be a UUID', provided_value: 'x' },
        {
          kind: 'value',
          field: 'when',
          error: 'must be a date, such as 2025-08-24',
          provided_value: 'today',
        },
      ],
    })
  })

  test('of the whole value have no field', () => {
    expect(compile({ type: 'object' }).parse(5)).toEqual({
      ok: false,
      problems: [
        { kind: 'type', field: '', error: 'expected an object, got a number', provided_value: 5 },
      ],
    })
    expect(compile({ type: 'object' }).parse(undefined)).toMatchObject({
      problems: [{ error: 'expected an object, got nothing', provided_value: null }],
    })
  })

  test('of a nullable field are those of the type that was meant', () => {
    const { parse } = compile({
      properties: { a: { anyOf: [{ type: 'string', maxLength: 2 }, { type: 'null' }] } },
    })
    expect(parse({ a: 'abc' })).toMatchObject({
      problems: [{ kind: 'value', field: 'a', error: 'must have at most 2 characters' }],
    })
    expect(parse({ a: 5 })).toMatchObject({
      problems: [
        {
          kind: 'type',
          field: 'a',
          error: 'expected a string of at most 2 characters or null, got a number',
        },
      ],
    })
  })

  test('of a union are those of the branch that its constant names', () => {
    const { parse } = compile({
      oneOf: [
        { $ref: '#/$defs/card' },
        { type: 'object', properties: { kind: { const: 'cash' } }, required: ['kind'] },
      ],
      $defs: {
        card: {
          type: 'object',
          properties: { kind: { const: 'card' }, number: { type: 'string' } },
          required: ['kind', 'number'],
        },
      },
    })
    expect(parse({ kind: 'card' })).toMatchObject({
      problems: [{ kind: 'missing', field: 'number' }],
    })
    expect(parse({ kind: 'cheque' })).toMatchObject({
      problems: [{ kind: 'value', field: 'kind', error: 'must be one of "card", "cash"' }],
    })
    expect(parse('card')).toMatchObject({
      problems: [{ kind: 'type', error: 'expected an object, got a string' }],
    })
  })

  test('that cannot be told apart say what would fit', () => {
    const { parse } = compile({
      anyOf: [
        { type: 'string', minLength: 5 },
        { type: 'string', format: 'date' },
      ],
    })
    expect(parse('abc')).toMatchObject({
      problems: [
        {
          error:
            'fits none of the 2 allowed forms: a string of at least 5 characters or a date, such as 2025-08-24',
        },
      ],
    })
    expect(compile({ oneOf: [{}, {}] }).parse(1)).toMatchObject({
      problems: [{ error: 'fits 2 of 2 forms of which it must fit exactly one' }],
    })
  })

  test('are at most fifty', () => {
    const result = compile({ items: { type: 'string' } }).parse(
      Array.from({ length: 1_000 }, () => 1),
    )
    expect(result).toMatchObject({ ok: false })
    expect(result.ok ? [] : result.problems).toHaveLength(50)
  })

  test('cut a long list of choices', () => {
    const { parse } = compile({
      enum: Array.from({ length: 5_000 }, (_, index) => `value ${index} ${'x'.repeat(200)}`),
    })
    const result = parse('x')
    expect(result.ok ? '' : result.problems[0]?.error.length).toBeLessThan(1_000)
    expect(result).toMatchObject({
      problems: [{ error: expect.stringContaining('and 4992 more') }],
    })
  })

  test('show invisible characters of names and patterns', () => {
    const { parse } = compile({ properties: { 'ad\u200bmin': { pattern: '^\u202eabc$' } } })
    expect(parse({ 'ad\u200bmin': 'x' })).toMatchObject({
      problems: [
        {
          field: 'ad⟨U+200B⟩min',
          error: 'must match the pattern ^⟨U+202E⟩abc$',
          provided_value: 'x',
        },
      ],
    })
  })
})

describe('secrets', () => {
  const schema = {
    type: 'object',
    properties: {
      login: {
        type: 'object',
        properties: {
          user: { type: 'string', minLength: 20 },
          password: { type: 'string', format: 'password', minLength: 20 },
          pin: { type: 'string', writeOnly: true, minLength: 20 },
          token: { $ref: '#/$defs/token', 'x-sensitive': true },
        },
      },
      keys: {
        type: 'array',
        items: {
          anyOf: [
            {
              type: 'object',
              properties: { secret: { writeOnly: true, type: 'string', minLength: 20 } },
            },
            { type: 'null' },
          ],
        },
      },
      headers: {
        type: 'object',
        additionalProperties: { writeOnly: true, type: 'string', maxLength: 3 },
      },
    },
    $defs: { token: { type: 'string', minLength: 20 } },
  }
  const value = {
    login: { user: 'ann', password: 'hunter2', pin: '1234', token: 'abc' },
    keys: [{ secret: 's3cret' }],
    headers: { Authorization: 'Bearer x' },
  }

  test('are not in the problems', () => {
    const result = compile(schema).parse(value)
    expect(
      result.ok ? [] : result.problems.map(({ field, provided_value }) => [field, provided_value]),
    ).toEqual([
      ['login.user', 'ann'],
      ['login.password', HIDDEN],
      ['login.pin', HIDDEN],
      ['login.token', HIDDEN],
      ['keys[0].secret', HIDDEN],
      ['headers.Authorization', HIDDEN],
    ])
    expect(JSON.stringify(result)).not.toMatch(/hunter2|1234|s3cret|Bearer/)
  })

  test('are hidden in whatever holds them', () => {
    const strict = { properties: { inner: schema }, required: ['inner', 'more'] }
    const result = compile({
      ...strict,
      $defs: schema.$defs,
      not: strict,
      anyOf: [{ type: 'object', minProperties: 5 }],
    }).parse({
      inner: value,
    })
    expect(JSON.stringify(result)).not.toMatch(/hunter2|1234|s3cret|Bearer/)
  })

  test('are marked in the shape', () => {
    const { shape } = compile(schema)
    expect(redact(shape, value)).toEqual({
      login: { user: 'ann', password: HIDDEN, pin: HIDDEN, token: HIDDEN },
      keys: [{ secret: HIDDEN }],
      headers: { Authorization: HIDDEN },
    })
    expect(redact(shape, { login: { pin: '1234' } }, digestOf)).toEqual({
      login: { pin: expect.stringContaining('sha256') },
    })
  })

  test('of one branch are secrets of all', () => {
    const { shape } = compile({
      properties: { id: {} },
      oneOf: [{ properties: { key: { writeOnly: true } } }, { properties: { key: {}, name: {} } }],
    })
    expect(redact(shape, { id: 1, key: 'k', name: 'n' })).toEqual({ id: 1, key: HIDDEN, name: 'n' })
  })

  test('of a name that only another subschema, a pattern or the rest speaks of are secrets', () => {
    const { shape } = compile({
      properties: { a: {}, b_key: {}, c: {} },
      patternProperties: { _key$: { writeOnly: true } },
      allOf: [{ properties: { a: {}, b_key: {} }, additionalProperties: { writeOnly: true } }],
    })
    expect(redact(shape, { a: 1, b_key: 2, c: 3, d: 4 })).toEqual({
      a: 1,
      b_key: HIDDEN,
      c: HIDDEN,
      d: HIDDEN,
    })
  })

  test('are secrets inside of what is secret, and in the wrong shape', () => {
    const { parse } = compile({
      properties: {
        card: {
          writeOnly: true,
          type: 'object',
          properties: { number: { type: 'string', maxLength: 3 } },
        },
        login: { type: 'object', properties: { password: { format: 'password' } } },
      },
    })
    expect(parse({ card: { number: '4111' }, login: 'hunter2' })).toMatchObject({
      problems: [
        { field: 'card.number', provided_value: HIDDEN },
        { field: 'login', provided_value: HIDDEN },
      ],
    })
  })

  test('of a list of places stay at their place', () => {
    const { shape } = compile({
      prefixItems: [{ type: 'string' }, { writeOnly: true }],
      items: { type: 'string' },
    })
    expect(redact(shape, ['a', 'b', 'c'])).toEqual(['a', HIDDEN, 'c'])
  })

  test('of a tree are secrets at every level', () => {
    const { shape } = compile({ properties: { key: { writeOnly: true }, child: { $ref: '#' } } })
    expect(redact(shape, { key: 1, child: { key: 2, child: { key: 3 } } })).toEqual({
      key: HIDDEN,
      child: { key: HIDDEN, child: { key: HIDDEN } },
    })
  })
})

describe('shape', () => {
  test('lists the fields of all branches as one object', () => {
    const { shape } = compile({
      type: 'object',
      required: ['a'],
      properties: { a: { type: 'string' } },
      oneOf: [{ properties: { b: { type: 'integer' } } }],
    })
    expect(shape).toEqual({
      kind: 'object',
      rest: undefined,
      sensitive: false,
      fields: [
        { name: 'a', optional: false, shape: { kind: 'string', sensitive: false } },
        { name: 'b', optional: true, shape: { kind: 'number', sensitive: false } },
      ],
    })
  })
})

describe('write', () => {
  test('is canonical JSON of the value', () => {
    const value = { b: [1, { d: null, c: 'é' }], a: true }
    expect(compile({}).write(value).text).toBe(canonicalJson(value))
  })

  test('leaves out the fields that are no part of what a call means, at the top only', () => {
    const { write } = compile({ type: 'object' }, { omitFromHash: new Set(['idempotencyKey']) })
    expect(write({ b: 1, idempotencyKey: 'k', a: { idempotencyKey: 'x' } }).text).toBe(
      '{"a":{"idempotencyKey":"x"},"b":1}',
    )
  })
})

describe('toJson', () => {
  test('is what was given, with its dialect', () => {
    expect(compile({ type: 'string' }).toJson('input')).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'string',
    })
    const own = { $schema: 'http://json-schema.org/draft-07/schema#', type: 'string' }
    expect(compile(own).toJson('output')).toBe(own)
  })
})

describe('a pattern without a linear-time form', () => {
  const schema = { properties: { name: { type: 'string', pattern: '^(?!admin)', maxLength: 9 } } }

  test('refuses its schema, naming place and reason', () => {
    expect(() => compile(schema)).toThrow(
      expect.objectContaining({
        code: 'TOOL_CONFIGURATION_ERROR',
        message:
          'The schema is refused: #/properties/name/pattern looks ahead or behind, which has no linear-time form.',
        details: { schema_path: '#/properties/name/pattern' },
      }),
    )
  })

  test('is left out with a warning, and the rest is kept', () => {
    const losses: Loss[] = []
    const { parse } = foreignSchemas({ onLoss: (loss) => losses.push(loss) }).compile(schema)
    expect(losses).toEqual([
      {
        path: '#/properties/name/pattern',
        keyword: 'pattern',
        reason: 'looks ahead or behind, which has no linear-time form',
      },
    ])
    expect([parse({ name: 'admin' }).ok, parse({ name: 'administrator' }).ok]).toEqual([
      true,
      false,
    ])
  })

  test('refuses its schema even so where leaving it out would refuse or match more', () => {
    const lenient = foreignSchemas({ onLoss: () => undefined })
    expect(() => lenient.compile({ not: { pattern: '(?=a)' } })).toThrow('#/not/pattern')
    expect(() => lenient.compile({ oneOf: [{ pattern: '(?=a)' }, {}] })).toThrow(
      '#/oneOf/0/pattern',
    )
    expect(() => lenient.compile({ patternProperties: { '(?=a)': {} } })).toThrow(
      '#/patternProperties/(?=a)',
    )
  })
})

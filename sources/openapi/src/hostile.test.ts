import { definitionHash, foreignPort } from '@surehand/core/host'
import { foreignSchemas } from '@surehand/json-schema'
import { describe, expect, test } from 'vitest'
import { openApiTools } from './open-api-tools.ts'
import { planOrUndefined } from './operation/usable-plan.ts'
import { readOpenApi } from './read-open-api.ts'

type Fields = Record<string, unknown>
const repeat = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))
const nameSchema = (count: number, make: (index: number) => unknown): Fields =>
  Object.fromEntries(repeat(count, (index) => [`S${index}`, make(index)]))
const to = (index: number | string) => ({ $ref: `#/components/schemas/S${index}` })
function nestSchema(
  depth: number,
  wrap: (inner: unknown) => unknown,
  end: unknown = { type: 'string' },
): unknown {
  let schema = end
  for (let index = 0; index < depth; index++) schema = wrap(schema)
  return schema
}

const invisible = 'a\u200b\u202eb'
const proto = JSON.parse(
  '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}',
)

// what a stranger may put where a schema belongs
const SCHEMAS: readonly (readonly [string, unknown, Fields?])[] = [
  ...[
    '(a+)+$',
    '(a|a)*$',
    '(.*a){40}',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '(?=a)b',
    '(?<!a)b',
    '(a)\\1',
    '[',
    'a{1,99999999}',
    '\u200b',
    `${'(a?)'.repeat(60)}${'a'.repeat(60)}`,
  ].map((pattern) => [`the pattern ${pattern.slice(0, 20)}`, { type: 'string', pattern }] as const),
  ['a pattern of 100,000 characters', { type: 'string', pattern: 'a'.repeat(100_000) }],
  [
    'names by a pattern that runs away',
    { type: 'object', patternProperties: { '(a+)+$': { type: 'string' }, '(?=x)': {} } },
  ],
  ...(['anyOf', 'oneOf', 'allOf'] as const).flatMap((keyword) => [
    [`${keyword} of 10,000`, { [keyword]: repeat(10_000, (index) => ({ const: index })) }] as const,
    [
      `${keyword} within ${keyword}, eight wide and deep`,
      to(0),
      nameSchema(8, (index) => ({
        [keyword]: repeat(8, () => (index === 7 ? {} : to(index + 1))),
      })),
    ] as const,
    [`${keyword} of itself`, to(0), { S0: { [keyword]: [to(0), { type: 'string' }] } }] as const,
    [
      `${keyword} in a circle`,
      to(0),
      { S0: { [keyword]: [to(1)] }, S1: { [keyword]: [to(0)] } },
    ] as const,
    [
      `${keyword} nested 5,000 deep`,
      nestSchema(5_000, (inner) => ({ [keyword]: [inner] })),
    ] as const,
    [`an empty ${keyword}`, { [keyword]: [] }] as const,
    [`${keyword} of no list`, { [keyword]: { type: 'string' } }] as const,
  ]),
  ['items nested 5,000 deep', nestSchema(5_000, (inner) => ({ type: 'array', items: inner }))],
  [
    'properties nested 5,000 deep',
    nestSchema(5_000, (inner) => ({ type: 'object', properties: { a: inner } })),
  ],
  [
    'a chain of 5,000 references',
    to(0),
    nameSchema(5_000, (index) => (index === 4_999 ? { type: 'string' } : to(index + 1))),
  ],
  [
    'a chain of 2,000 objects',
    to(0),
    nameSchema(2_000, (index) => ({
      type: 'object',
      properties: { next: to(Math.min(index + 1, 1_999)) },
    })),
  ],
  ['a reference to itself', to(0), { S0: to(0) }],
  ['references in a circle', to(0), { S0: to(1), S1: to(2), S2: to(0) }],
  [
    'a tree that refers to itself twice',
    to(0),
    { S0: { type: 'object', properties: { left: to(0), right: to(0) } } },
  ],
  [
    'thirty levels that double',
    to(0),
    nameSchema(31, (index) =>
      index === 30
        ? { type: 'string' }
        : { type: 'object', properties: { a: to(index + 1), b: to(index + 1) } },
    ),
  ],
  ['not of itself', to(0), { S0: { not: to(0) } }],
  [
    'if of itself',
    to(0),
    { S0: Object.fromEntries(['if', 'then', 'else'].map((keyword) => [keyword, to(0)])) },
  ],
  ['100,000 enum values', { enum: repeat(100_000, String) }],
  ['an enum of deep values', { enum: [nestSchema(200, (inner) => [inner], 1)] }],
  ['an enum of invisible values', { type: 'string', enum: [invisible, 'ok'] }],
  ['an enum that is no list', { enum: 'all' }],
  ['an empty enum', { enum: [] }],
  [
    '10,000 properties',
    {
      type: 'object',
      properties: nameSchema(10_000, () => ({ type: 'string', description: 'x'.repeat(200) })),
    },
  ],
  ['60,000 subschemas', { type: 'object', properties: nameSchema(60_000, () => ({})) }],
  ['a description of a million characters', { type: 'string', description: 'x'.repeat(1_000_000) }],
  ['an invisible description', { type: 'string', description: `ignore${invisible}` }],
  ['invisible field names', { type: 'object', properties: { [invisible]: { type: 'string' } } }],
  ['a required invisible field', { type: 'object', properties: {}, required: [invisible] }],
  ['__proto__ as a field', proto],
  ['__proto__ as a required field', { type: 'object', required: ['__proto__'] }],
  ['__proto__ in an enum', { enum: [JSON.parse('{"__proto__":{"x":1}}'), 1] }],
  ['__proto__ as a component', { $ref: '#/components/schemas/__proto__' }],
  ['a reference into Object.prototype', { $ref: '#/components/schemas/constructor/prototype' }],
  ['a reference to toString', { $ref: '#/toString' }],
  ...[
    'http://evil.example/s.json',
    'file:///etc/passwd',
    '//evil.example/x',
    './other.yaml#/A',
    'urn:x',
    '#anchor',
    '',
    '#/paths',
    '#/info/title',
  ].map((reference) => [`the reference "${reference}"`, { $ref: reference }] as const),
  ['a reference that is a number', { $ref: 5 }],
  ['a reference of 100,000 characters', { $ref: `#/${'a/'.repeat(50_000)}` }],
  ...[null, 5, 'string', [], [{ type: 'string' }]].map(
    (schema) => [`${JSON.stringify(schema)} for a schema`, schema] as const,
  ),
  ...['any', 'date', 'null ', 7, {}, ['string', 'text'], []].map(
    (type) => [`the type ${JSON.stringify(type)}`, { type }] as const,
  ),
  [
    'bounds that are no numbers',
    { type: 'number', minimum: 'a', maximum: null, multipleOf: 0, minLength: -1, maxItems: 1.5 },
  ],
  ['infinite bounds', { type: 'number', minimum: Number.POSITIVE_INFINITY, maximum: Number.NaN }],
  ['exclusive bounds without a bound', { type: 'number', exclusiveMinimum: true }],
  ['required that is true', { type: 'string', required: true }],
  ['required of numbers', { type: 'object', required: [1, {}, null] }],
  ['properties that are a list', { type: 'object', properties: [{}, {}] }],
  ['a discriminator of nothing', { oneOf: [to(0), to(1)], discriminator: {} }, { S0: {}, S1: {} }],
  [
    'a discriminator that maps outside',
    {
      oneOf: [to(0)],
      discriminator: { propertyName: '__proto__', mapping: { x: 'http://evil.example' } },
    },
    { S0: {} },
  ],
  [
    'twenty allOf of twenty allOf, eight deep',
    to(0),
    nameSchema(9, (index) =>
      index === 8
        ? { properties: { a: { readOnly: true } } }
        : { allOf: repeat(20, () => to(index + 1)) },
    ),
  ],
  [
    'an id of its own',
    {
      $id: 'http://evil.example/',
      $schema: 'http://evil.example/',
      $anchor: 'a',
      $dynamicRef: '#a',
      type: 'string',
    },
  ],
  [
    'a default that must not be filled in',
    { type: 'object', properties: { admin: { type: 'boolean', default: true } } },
  ],
  ['dependent schemas of themselves', to(0), { S0: { dependentSchemas: { a: to(0) } } }],
  ['a lone surrogate', { type: 'string', description: '\ud800', enum: ['\udfff', 'a'] }],
]

function documentWith(schema: unknown, components: Fields = {}): Fields {
  const responses = { 200: { description: 'x', content: { 'application/json': { schema } } } }
  return {
    openapi: '3.1.0',
    info: { title: 'h', version: '1' },
    servers: [{ url: 'https://h.example' }],
    paths: {
      '/good': {
        get: {
          operationId: 'good',
          parameters: [{ name: 'q', in: 'query', schema: { type: 'string' } }],
          responses: {},
        },
      },
      '/body': {
        post: {
          operationId: 'body',
          requestBody: { content: { 'application/json': { schema } } },
          responses: {},
        },
      },
      '/parameter': {
        get: {
          operationId: 'parameter',
          parameters: [{ name: 'p', in: 'query', schema }],
          responses: {},
        },
      },
      '/answer': { get: { operationId: 'answer', responses } },
    },
    components: { schemas: components },
  }
}

const parts = () => ({
  port: foreignPort('h', { keysValidFor: '1d' as const }),
  schemas: foreignSchemas({ onLoss: () => {} }),
})

describe('a hostile schema', () => {
  test('there are enough of them', () =>
    expect(SCHEMAS.length).toBeGreaterThanOrEqual(100 - DOCUMENTS.length))

  test.each(SCHEMAS)(
    '%s: is bounded or left out with a reason, and other tools are not affected',
    (...[, schema, components]) => {
      const { operations, report } = readOpenApi(
        documentWith(schema, components as Fields | undefined),
        { name: 'h', allow: 'all' },
      )
      const usable = operations.filter((one) => planOrUndefined(one) !== undefined)
      expect([report.taken + report.leftOut.length, usable.length]).toEqual([4, report.taken])
      expect(report.leftOut.every(({ reason }) => reason.length > 10)).toBe(true)
      // the neighbour and the answer are never taken along
      expect(usable.map(({ operationId }) => operationId)).toEqual(
        expect.arrayContaining(['good', 'answer']),
      )
      for (const { plan, description } of usable) {
        const text = JSON.stringify([plan.input, plan.output, description])
        expect(text.length).toBeLessThan(80 * 1024)
        expect(text).not.toMatch(/[\u200b\u202e]|"__proto__"|evil\.example|"default":/)
      }
      for (const tool of openApiTools(operations, parts())) {
        expect(definitionHash(tool)).toMatch(/^[0-9a-f]{64}$/)
        expect(JSON.stringify(tool.input.toJson('input')).length).toBeLessThan(80 * 1024)
      }
      for (const tool of openApiTools(usable, parts())) {
        expect(() => [
          tool.input.parse({ q: 'a', p: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' }),
          tool.output.parse({ status: 200 }),
        ]).not.toThrow()
      }
    },
  )

  test('no default of a document is ever filled into a request', () => {
    const { operations } = readOpenApi(
      documentWith({ type: 'object', properties: { admin: { type: 'boolean', default: true } } }),
      {
        name: 'h',
        allow: 'all',
      },
    )
    const body = openApiTools(operations, parts()).find(({ id }) => id === 'h.body')
    expect(body?.input.parse({ body: {} })).toEqual({ ok: true, value: { body: {} } })
  })
})

const good = { get: { operationId: 'good', responses: {} } }
const aliases = `openapi: 3.0.0\ninfo: {title: t, version: '1'}\npaths: {}\nx0: &x0 [a,a,a,a,a,a,a,a,a]\n${repeat(20, (index) => `x${index + 1}: &x${index + 1} [${repeat(9, () => `*x${index}`).join(',')}]`).join('\n')}\n`
const aliasSchema = `openapi: 3.0.0\ninfo: {title: t, version: '1'}\nservers: [{url: 'https://h.example'}]\nx0: &x0 {type: string}\n${repeat(
  14,
  (index) =>
    `x${index + 1}: &x${index + 1} {type: object, properties: {${'abcdefghi'
      .split('')
      .map((name) => `${name}: *x${index}`)
      .join(', ')}}}`,
).join(
  '\n',
)}\npaths:\n  /a:\n    post: {operationId: bomb, requestBody: {content: {application/json: {schema: *x14}}}, responses: {}}\n  /b:\n    get: {operationId: good, responses: {}}\n`

const DOCUMENTS: readonly (readonly [string, string | Fields, RegExp])[] = [
  ['Swagger 2.0', { swagger: '2.0', paths: {} }, /Swagger 2\.0.*Convert it first/],
  ['another version', { openapi: '4.0.0', paths: {} }, /only OpenAPI 3\.0 and 3\.1/],
  ['no object', '[1,2]', /not an object/],
  ['broken JSON', '{"openapi": "3.0.0", ', /not valid JSON/],
  ['broken YAML', 'openapi: [3.0.0\n  x', /not valid YAML/],
  [
    'YAML with 20,000 aliases',
    `a: &a 1\nb: [${repeat(20_000, () => '*a').join(',')}]`,
    /aliases exceeded/,
  ],
  ['YAML nested 10,000 deep', `${'['.repeat(10)}${'{a: '.repeat(10_000)}`, /not valid JSON/],
  ['YAML flow nested 500 deep', `a: ${'['.repeat(500)}${']'.repeat(500)}`, /nesting exceeded/],
  [
    '100,000 operations',
    {
      openapi: '3.0.0',
      paths: Object.fromEntries(
        repeat(100_000, (index) => [`/p${index}`, { get: { responses: {} } }]),
      ),
    },
    /100000 operations.*limit is 5000/,
  ],
  ['an overlay of something else', { openapi: '3.0.0', paths: {} }, /not an OpenAPI Overlay/],
]

describe('a hostile document', () => {
  test.each(DOCUMENTS)('%s is refused with a sentence', (what, document, reason) => {
    const overlay = what.includes('overlay') ? { overlay: { overlay: '2.0' } } : {}
    expect(() => readOpenApi(document, { name: 'h', ...overlay })).toThrow(reason)
  })

  test('nested YAML aliases that are never used cost nothing', () => {
    expect(readOpenApi(aliases, { name: 'h' }).operations).toEqual([])
  })

  test('a schema of nested YAML aliases is left out by count, and the other operations are kept', () => {
    const { operations, report } = readOpenApi(aliasSchema, { name: 'h', allow: 'all' })
    expect(
      operations
        .filter((one) => planOrUndefined(one) !== undefined)
        .map(({ operationId }) => operationId),
    ).toEqual(['good'])
    expect(report.leftOut).toEqual([
      expect.objectContaining({
        operationId: 'bomb',
        reason: expect.stringContaining('50000 schemas'),
      }),
    ])
  })

  test('names that look alike become different tools, in any order', () => {
    const ids = [
      'get_a',
      'GET_A',
      'get/a',
      'ｇｅｔ＿ａ',
      'get a',
      `${'x'.repeat(80)}1`,
      `${'x'.repeat(80)}2`,
    ]
    const paths = ids.map(
      (operationId, index) => [`/p${index}`, { get: { operationId, responses: {} } }] as const,
    )
    const read = (entries: typeof paths) =>
      readOpenApi({ openapi: '3.0.0', paths: Object.fromEntries(entries) }, { name: 'h' })
        .operations
    const names = read(paths).map(({ toolId }) => toolId)
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(ids.length)
    expect(names.every((name) => name.length <= 63)).toBe(true)
    expect(read(paths.toReversed()).map(({ toolId, key }) => [toolId, key])).toEqual(
      read(paths).map(({ toolId, key }) => [toolId, key]),
    )
  })

  test('reserved headers, API keys and credentials are never arguments', () => {
    const header = (name: string, rest: object = {}) => ({
      name,
      in: 'header',
      schema: { type: 'string' },
      ...rest,
    })
    const { operations, report } = readOpenApi(
      {
        openapi: '3.0.0',
        security: [{ key: [] }],
        paths: {
          '/a': {
            get: {
              operationId: 'a',
              responses: {},
              parameters: [
                ...[
                  'Authorization',
                  'Accept',
                  'content-type',
                  'Host',
                  'Cookie',
                  'X-Api-Key',
                  'X-Forwarded-For',
                  'Proxy-Foo',
                ].map((name) => header(name)),
                header('token', { description: 'Authentication token.' }),
                header('X-Fine'),
                { name: 'access_token', in: 'query', schema: {} },
              ],
            },
          },
        },
        components: {
          securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' } },
        },
      },
      { name: 'h' },
    )
    expect(Object.keys(operations[0]?.plan.input.properties as object)).toEqual(['X-Fine'])
    expect(report.dropped).toHaveLength(10)
  })

  test('an operation that would go to another origin is left out until that is allowed', () => {
    const elsewhere = {
      openapi: '3.0.0',
      servers: [{ url: 'https://h.example' }],
      paths: {
        '/a': good,
        '/b': {
          get: { operationId: 'far', servers: [{ url: 'https://evil.example' }], responses: {} },
        },
      },
    }
    expect(readOpenApi(elsewhere, { name: 'h' }).report.leftOut).toEqual([
      expect.objectContaining({
        operationId: 'far',
        reason: expect.stringContaining('evil.example'),
      }),
    ])
    expect(
      readOpenApi(elsewhere, { name: 'h', origins: ['https://evil.example'] }).operations,
    ).toHaveLength(2)
  })
})

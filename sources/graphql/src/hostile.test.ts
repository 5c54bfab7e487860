import { definitionHash, foreignPort, wireName } from '@surehand/core/host'
import { foreignSchemas } from '@surehand/json-schema'
import { buildSchema, parse, validate } from 'graphql'
import { describe, expect, test } from 'vitest'
import { introspectionOf } from './fixtures/introspection.ts'
import { SHOP_SDL } from './fixtures/shop.ts'
import { graphqlTools } from './graphql-tools.ts'
import { documentOf } from './operation/document.ts'
import { type GraphqlOptions, readGraphql } from './read-graphql.ts'

const OPTIONS = { name: 'any', endpoint: 'https://any.example/graphql', allow: ['mutation.*'] }
const read = (document: unknown, more: Partial<GraphqlOptions> = {}) =>
  readGraphql(document, { ...OPTIONS, ...more })
const toolsOf = (document: unknown) =>
  graphqlTools(read(document).operations, {
    port: foreignPort('any', { keysValidFor: '1h' }),
    schemas: foreignSchemas(),
  })
const range = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => index)
const STRING = { kind: 'SCALAR', name: 'String' }

/** An introspection answer whose query type has these fields. */
function introspectionWith(fields: readonly object[], types: readonly object[] = []): unknown {
  return {
    __schema: {
      queryType: { name: 'Query' },
      types: [{ kind: 'OBJECT', name: 'Query', fields, interfaces: [] }, ...types],
    },
  }
}

describe('names', () => {
  test.each([
    'x } mutation { wipe',
    'x(a: 1)',
    'é',
    '',
    '__proto__',
    '__x',
    '1x',
    'a b',
    'x\n',
    'a'.repeat(300),
  ])('the field %j is left out and reported', (name) => {
    const { operations, report } = read(
      introspectionWith([
        { name, args: [], type: STRING },
        { name: 'fine', args: [], type: STRING },
      ]),
    )
    expect(operations.map(({ id }) => id)).toEqual(['any.fine'])
    expect(report.flaws).toHaveLength(1)
  })

  test.each(['a: 1) { x } evil(b', '__proto__', 'é'])(
    'the argument %j is never written into a document',
    (name) => {
      const { operations } = read(
        introspectionWith([{ name: 'fine', args: [{ name, type: STRING }], type: STRING }]),
      )
      expect(operations.map((operation) => documentOf(operation))).toEqual(['query fine { fine }'])
    },
  )

  test.each(['T } evil { x', 'é'])('the type %j is never written into a document', (name) => {
    const odd = { kind: 'SCALAR', name }
    const field = {
      name: 'fine',
      args: [
        { name: 'a', type: odd },
        { name: 'b', type: { kind: 'NON_NULL', ofType: odd } },
      ],
      type: STRING,
    }
    const { operations, report } = read(introspectionWith([field], [odd]))
    expect([operations, report.leftOut]).toEqual([
      [],
      [{ operation: 'query.fine', reason: 'its argument "b" cannot be given' }],
    ])
  })

  test('a key that no input may hold is left out, or its operation is', () => {
    const { operations, report } = read(
      'type Query { a(constructor: Int): Int  b(prototype: Int!): Int }',
    )
    expect(operations.map((operation) => documentOf(operation))).toEqual(['query a { a }'])
    expect(report.leftOut).toEqual([
      { operation: 'query.b', reason: 'its argument "prototype" cannot be given' },
    ])
  })

  test('names that a reader could confuse, or that are too long, carry a hash and stay unique', () => {
    const long = 'x'.repeat(200)
    const { operations } = read(
      `type Query { user: Int User: Int login: Int ${long}1: Int ${long}2: Int } type Mutation { login: Int }`,
    )
    const names = operations.map(({ id }) => wireName(id))
    expect(new Set(names.map((name) => name.normalize('NFKC').toLowerCase())).size).toBe(6)
    expect(names.every((name) => /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(name))).toBe(true)
    const again = read(
      `type Mutation { login: Int } type Query { ${long}2: Int ${long}1: Int login: Int User: Int user: Int }`,
    )
    expect(new Set(again.operations.map(({ id }) => id))).toEqual(
      new Set(operations.map(({ id }) => id)),
    )
  })

  test('allowing a mutation renames no other tool', () => {
    const sdl = 'type Query { login: Int } type Mutation { login: Int }'
    const [before] = read(sdl, { allow: [] }).operations
    expect(read(sdl).operations.map(({ id }) => id)).toContain(before?.id)
  })
})

describe('bombs', () => {
  test('a field whose type is wrapped without end is left out or refused', () => {
    let type: object = STRING
    for (const _ of range(5_000)) type = { kind: 'LIST', ofType: type }
    expect(() => read(introspectionWith([{ name: 'x', args: [], type }]))).toThrow(
      /neither queries nor mutations/,
    )
    expect(() => read(`type Query { x: ${'['.repeat(5_000)}Int${']'.repeat(5_000)} }`)).toThrow(
      /wrapped in more than 16/,
    )
  })

  test.each([
    [
      'types',
      () =>
        introspectionWith(
          [],
          range(20_001).map((index) => ({ kind: 'SCALAR', name: `S${index}` })),
        ),
    ],
    [
      'fields',
      () => introspectionWith(range(500_001).map(() => ({ name: 'x', args: [], type: STRING }))),
    ],
    [
      'values within values',
      () => `type Query { x(a: Int = ${'['.repeat(100)}1${']'.repeat(100)}): Int }`,
    ],
    ['an object that is none', () => ({ __schema: { types: 7 } })],
    ['nothing', () => ''],
    ['no JSON', () => '{ "data": '],
    ['a document of another kind', () => 'query { a }'],
    ['a text without end', () => 'type Query { "'],
    ['a block without end', () => '"""'],
  ])('is refused because it is too large or not a schema: %s', (_, document) => {
    expect(() => read(document())).toThrow(/The GraphQL schema is refused/)
  })

  test('ten thousand operations: the first are tools, the others have a reason', () => {
    const { report } = read(
      `type Query { ${range(10_000)
        .map((index) => `f${index}: Int`)
        .join(' ')} }`,
    )
    expect([report.tools, report.leftOut.length, report.leftOut[0]?.reason]).toEqual([
      5_000,
      5_000,
      'the schema has more than 5000 operations',
    ])
  })

  test('a type of ten thousand fields, and one that can be a thousand types, make documents of bounded length', () => {
    const fields = range(10_000)
      .map((index) => `f${index}: Int`)
      .join(' ')
    const types = range(1_000)
      .map((index) => `type T${index} { id: ID u: U big: Big }`)
      .join(' ')
    const sdl = `type Query { big: Big many: U list: [U] } type Big { ${fields} } ${types} union U = ${range(
      1_000,
    )
      .map((index) => `T${index}`)
      .join(' | ')}`
    const { operations } = read(sdl)
    expect(operations.map((operation) => documentOf(operation).length < 4_096)).toEqual([
      true,
      true,
      true,
    ])
    const schema = buildSchema(sdl)
    expect(
      operations.flatMap((operation) => validate(schema, parse(documentOf(operation)))),
    ).toEqual([])
  })

  test('input types that hold each other a thousand times over fit their budget', () => {
    const names = range(60).map((index) => `F${index}`)
    const inputs = names.map(
      (name) =>
        `input ${name} { ${names.map((other) => `with_${other}_and_${name}: [${other}!]`).join(' ')} text: String }`,
    )
    const { operations, report } = read(`type Query { find(where: F0!): Int } ${inputs.join(' ')}`)
    expect(JSON.stringify(operations[0]?.input).length).toBeLessThanOrEqual(32 * 1024)
    expect(report.notes).toEqual([
      {
        operation: 'query.find',
        note: expect.stringMatching(/^Its input is large: optional fields/),
      },
    ])
    expect(
      foreignSchemas()
        .compile(operations[0]?.input ?? {})
        .parse({ where: { text: 'a' } }),
    ).toMatchObject({ ok: true })
  })

  test('an input that is large only because of its descriptions loses the descriptions', () => {
    const fields = range(200)
      .map((index) => `"${'word '.repeat(80)}" f${index}: String`)
      .join(' ')
    const { operations, report } = read(
      `type Query { find("What." where: F!): Int } input F { ${fields} }`,
    )
    expect(JSON.stringify(operations[0]?.input).length).toBeLessThanOrEqual(32 * 1024)
    expect(report.notes).toEqual([
      {
        operation: 'query.find',
        note: 'Its input is large: descriptions within it were left out.',
      },
    ])
  })

  test('an operation whose required input is too large is left out with a reason', () => {
    const fields = range(3_000)
      .map((index) => `a_rather_long_name_of_a_field_${index}: String!`)
      .join(' ')
    const { report } = read(`type Query { find(where: F!): Int fine: Int } input F { ${fields} }`)
    expect(report.leftOut).toEqual([
      {
        operation: 'query.find',
        reason: 'the schema of its required arguments is larger than 32768 bytes',
      },
    ])
  })

  test('an input that requires itself has no example, and is read all the same', () => {
    const { operations } = read('type Query { x(a: A!): Int } input A { a: A! }')
    expect(operations.map(({ example }) => example)).toEqual([undefined])
  })

  test('an enum with thousands of values becomes a string', () => {
    const { operations, report } = read(
      `type Query { x(a: E): Int } enum E { ${range(2_000)
        .map((index) => `V${index}`)
        .join(' ')} }`,
    )
    expect(JSON.stringify(operations[0]?.input).length).toBeLessThan(500)
    expect(report.notes).toHaveLength(1)
  })

  test('many large inputs together are limited by a budget', () => {
    const fields = range(300)
      .map((index) => `field_number_${index}: String`)
      .join(' ')
    const queries = range(4_000)
      .map((index) => `q${index}(a: F): Int`)
      .join(' ')
    const { operations, report } = read(`type Query { ${queries} } input F { ${fields} }`)
    expect(report.bytes).toBeLessThanOrEqual(33 * 1024 * 1024)
    expect(operations.length).toBe(report.tools)
    expect(new Set(report.leftOut.map(({ reason }) => reason))).toEqual(
      new Set(['the tools before it already use 33554432 bytes']),
    )
    expect(report.tools + report.leftOut.length).toBe(4_000)
  })
})

describe('descriptions', () => {
  test('invisible characters are made visible before a model or a person reads them', () => {
    const sdl = `type Query { "a\u202Eb" x("c\u200Bd" y: In): Int } input In { "e\u2066f" z: String = "\u200B" }`
    const [tool] = toolsOf(sdl)
    const shown = JSON.stringify([tool?.title, tool?.description, tool?.input.toJson('input')])
    expect(shown).toContain('a⟨U+202E⟩b')
    expect(shown).toContain('c⟨U+200B⟩d')
    expect(shown).toContain('e⟨U+2066⟩f')
    expect(shown.replace('"default":"\u200B"', '')).not.toMatch(/[\u200B\u202E\u2066]/)
  })

  test('a lone surrogate in a description is replaced, and a long description is cut', () => {
    const [tool] = toolsOf(
      introspectionWith([
        { name: 'x', description: `\ud800${'y'.repeat(10_000)}`, args: [], type: STRING },
      ]),
    )
    expect(tool?.description.isWellFormed()).toBe(true)
    expect(tool?.description.length).toBeLessThanOrEqual(2_000)
  })

  test('a description that changes, changes the hash of its tool and of no other', () => {
    const before = new Map(toolsOf(SHOP_SDL).map((tool) => [tool.id, definitionHash(tool)]))
    const changed = toolsOf(
      SHOP_SDL.replace('Looks for anything.', 'Looks for everything.'),
    ).filter((tool) => definitionHash(tool) !== before.get(tool.id))
    expect(changed.map(({ id }) => id)).toEqual(['any.search'])
    const filter = SHOP_SDL.replace('text: String = "any"', '"Words." text: String = "any"')
    expect(
      toolsOf(filter)
        .filter((tool) => definitionHash(tool) !== before.get(tool.id))
        .map(({ id }) => id),
    ).toEqual(['any.products'])
  })

  test('a secret is never shown to the person who approves', () => {
    const [tool] = toolsOf(SHOP_SDL).filter(({ id }) => id === 'any.placeOrder')
    expect(JSON.stringify(tool?.input.toJson('input'))).toContain(
      '"secretToken":{"type":["string","null"],"writeOnly":true}',
    )
  })
})

describe('an import', () => {
  test.each(['Any', 'a.b', '', 'a'.repeat(25), '1a', 'a-b'])('is not called %j', (name) => {
    expect(() => read('type Query { x: Int }', { name })).toThrow(/cannot be the name of an import/)
  })

  test.each([
    'ftp://any.example/',
    'https://user:pass@any.example/',
    'any',
    'javascript:alert(1)',
    'file:///etc/passwd',
  ])('does not go to %s', (endpoint) => {
    expect(() => read('type Query { x: Int }', { endpoint })).toThrow(/its endpoint/)
  })

  test('leaves an argument with a default to the server, even if the default cannot be read', () => {
    const type = { kind: 'NON_NULL', ofType: STRING }
    const { operations } = read(
      introspectionWith([
        {
          name: 'x',
          args: [
            { name: 'a', type, defaultValue: '???' },
            { name: 'b', type },
          ],
          type: STRING,
        },
      ]),
    )
    expect(operations.map((operation) => documentOf(operation))).toEqual([
      'query x($a: String, $b: String!) { x(a: $a, b: $b) }',
    ])
    expect(operations[0]?.input.required).toEqual(['b'])
  })

  test('reports entries for operations that the schema does not have', () => {
    const { report } = read('type Query { x: T } type T { y: [T] }', {
      allow: ['mutation.wipe', 'query.x.z', 'query.x.y.y', 'query.x.y'],
      overlay: { 'query.gone': {} },
    })
    expect([report.tools, report.unmatched]).toEqual([
      2,
      [
        'mutation.wipe: the schema has no such operation',
        'query.gone: Query has no field "gone"',
        'query.x.y.y: "y" is a list, and a path cannot lead through a list',
        'query.x.z: T has no field "z"',
      ],
    ])
  })

  test.each(['Authorization', 'cookie', 'a: b', ''])(
    'never sends its keys in the header %j',
    (header) => {
      const { report } = read('type Mutation { x: Int } type Query { y: Int }', {
        overlay: { 'mutation.x': { action: true, once: { header } } },
      })
      expect(report.leftOut).toEqual([
        { operation: 'mutation.x', reason: 'its key cannot be sent in that header' },
      ])
    },
  )

  test('leaves out subscriptions and operations that an overlay excludes, with reasons', () => {
    const { report } = read(SHOP_SDL, {
      allow: [],
      overlay: { 'query.count': { action: false }, 'mutation.cancelOrder': { action: true } },
    })
    expect(report.leftOut).toEqual([
      { operation: 'query.count', reason: 'the overlay leaves it out' },
      {
        operation: 'mutation.placeOrder',
        reason: 'mutations become tools only when they are on the allow-list',
      },
      { operation: 'subscription.orders', reason: 'a subscription has no end, and a call has one' },
    ])
  })

  test('notes a scalar that only its server knows', () => {
    const { report } = read(introspectionOf(buildSchema(SHOP_SDL)))
    expect(report.notes).toEqual([
      {
        operation: 'mutation.placeOrder',
        note: 'The scalar Odd is known only to its server: any JSON is accepted.',
      },
    ])
  })
})

import fc from 'fast-check'
import { buildSchema } from 'graphql'
import { describe, expect, test } from 'vitest'
import { introspectionOf } from '../fixtures/introspection.ts'
import { randomSchema } from '../fixtures/random-schema.ts'
import { SHOP_SDL } from '../fixtures/shop.ts'
import { readIntrospection } from '../schema/read-introspection.ts'
import { readLiteral } from './read-literal.ts'
import { readSdl } from './read-sdl.ts'

// graphql-js builds the schema and introspects it: both readers must give the same model.
const viaGraphqlJs = (sdl: string) => readIntrospection(introspectionOf(buildSchema(sdl)))

const CORNERS = String.raw`
# a comment, and , , commas
"""
  A schema.
    Indented.
"""
schema @own(x: [1, {a: "b"}]) { query: Root }
extend schema { mutation: Change }
directive @own(x: [Any] = [1], "words" y: Int) repeatable on | SCHEMA | OBJECT
scalar Any @specifiedBy(url: "https://tools.ietf.org/html/rfc3339")
scalar Moment
extend scalar Moment @specifiedBy(url: "https://example.com")
interface Node { id: ID! }
interface Named implements & Node { id: ID!, name: String }
type Root implements Named & Node @own { id: ID!, name: String, "say \"hi\" \u00e9 \u{1F600} \\ \/ \b\f\n\r\t" type(input: In! = {a: 1, b: [RED, BLUE], c: {a: -1.5e3}}, enum: Color = RED): [[Node!]!]! }
extend type Root { later(x: String = """ block "quoted" \""" end """): Either @deprecated, old: Int @deprecated(reason: "use new") }
type Change { do(one: One!, list: [Int] = 3, no: String = null, yes: Boolean = true): Int }
union Either = | Root | Change
union Other
extend union Other = Root
enum Color { RED @deprecated "words" GREEN }
extend enum Color { BLUE }
input In { a: Float, b: [Color!], c: In, old: Int @deprecated }
extend input In { d: Any = "x" }
input One @oneOf { a: Int, b: In }
type Empty { _: Int }
`

describe('a schema in the schema definition language', () => {
  test.each([
    ['the shop', SHOP_SDL],
    ['every corner of the grammar', CORNERS],
    ['usual names without a schema', 'type Query { a: Int } type Subscription { b: Int }'],
    [
      'a byte order mark and line ends of all kinds',
      '\uFEFFtype Query {\r\n a: Int #x\r b: Int\n}',
    ],
  ])('reads as graphql-js reads it: %s', (_, sdl) => {
    expect(readSdl(sdl)).toEqual(viaGraphqlJs(sdl))
  })

  test('any schema reads as graphql-js reads it', () => {
    fc.assert(
      fc.property(randomSchema, (sdl) => {
        expect(readSdl(sdl)).toEqual(viaGraphqlJs(sdl))
      }),
      { numRuns: 100 },
    )
  })

  test('an extension of a type that is not defined here defines it, as parts of larger schemas do', () => {
    expect(readSdl('extend type Query { a: Int }').query).toBe('Query')
  })

  test.each([
    ['type Query { a: }', 'line 1: Expected Name, found "}"'],
    ['type Query {\n a Int }', 'line 2: Expected ":", found Name "Int"'],
    ['type Query { a: Int', 'line 1: Expected Name, found <EOF>'],
    ['type A { a: Int } type A { b: Int }', 'the type "A" is defined twice'],
    ['type A { a: Int } extend input A { b: Int }', '"A" is extended as another kind of type'],
    ['{ a }', 'not only type definitions'],
    ['fragment F on A { a }', 'not only type definitions'],
    ['type Query { a(x: String = "\\q"): Int }', 'line 1: Invalid character escape sequence'],
    ['type Query { a(x: Int = 01): Int }', 'line 1: Invalid number'],
    ['type Query { a: Int } ?', 'line 1: Unexpected character: "?"'],
  ])('a text that cannot be read is refused with the place and the reason: %s', (sdl, what) => {
    expect(() => readSdl(sdl)).toThrow(what)
  })
})

describe('a hostile schema', () => {
  test.each([
    ['brackets without end', `type Query { a: ${'['.repeat(200_000)}`, 'nested too deeply'],
    ['more fields than a schema has', `type A { ${'a:B '.repeat(400_000)}`, '1000000 tokens'],
    ['more comments than a schema has', '#\n'.repeat(100_001), '100000 comments'],
  ])('is refused: %s', (_, sdl, what) => {
    expect(() => readSdl(sdl)).toThrow(what)
  })

  test('a token of megabytes is not repeated in the message', () => {
    const message = (): string => {
      try {
        return JSON.stringify(readSdl(`type A { "${'x'.repeat(1_000_000)}" "y" }`))
      } catch (thrown) {
        return String(thrown)
      }
    }
    expect(message().length).toBeLessThan(500)
  })

  test('a type that is extended ten thousand times is read in linear time', () => {
    const parts = Array.from({ length: 10_000 }, (_, index) => `extend enum E { V${index} }`)
    const type = readSdl(`type Query { a: E } ${parts.join(' ')}`).types.get('E')
    expect(type?.kind === 'enum' && type.values.length).toBe(10_000)
  })
})

describe('values', () => {
  test('a block string loses the indentation its lines share', () => {
    expect(readLiteral('"""\n    a\n      b\n    """')).toEqual({ kind: 'string', value: 'a\n  b' })
  })

  test('a string is read with its escapes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (value) => {
        expect(readLiteral(JSON.stringify(value))).toEqual({ kind: 'string', value })
      }),
    )
  })

  test.each([
    '',
    '1 2',
    '[1',
    '{a}',
    '$x',
    '"',
    '@a',
    '1..2',
    '{a: }',
    '['.repeat(50),
    `${'['.repeat(50)}1${']'.repeat(50)}`,
    '['.repeat(9_000),
    `"${'x'.repeat(20_000)}"`,
  ])('%j is not a value', (text) => {
    expect(readLiteral(text)).toBeUndefined()
  })
})

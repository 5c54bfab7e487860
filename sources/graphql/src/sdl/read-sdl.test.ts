import fc from 'fast-check'
import { buildSchema, parseValue, printSchema } from 'graphql'
import { describe, expect, test } from 'vitest'
import { githubSchema, introspectionOf } from '../fixtures/github.ts'
import { randomSchema } from '../fixtures/random-schema.ts'
import { SHOP_SDL } from '../fixtures/shop.ts'
import { readIntrospection } from '../schema/read-introspection.ts'
import { blockText } from './block-text.ts'
import { createLexer } from './lexer.ts'
import { readLiteral } from './read-literal.ts'
import { readSdl } from './read-sdl.ts'

// graphql-js reads the text and introspects it; both ways must come to one model
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

describe('a schema in its own language', () => {
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

  test("reads as graphql-js prints it: GitHub's", () => {
    const schema = githubSchema()
    expect(readSdl(printSchema(schema))).toEqual(readIntrospection(introspectionOf(schema)))
  })

  test('reads as graphql-js reads it, whatever it is', () => {
    fc.assert(
      fc.property(randomSchema, (sdl) => {
        expect(readSdl(sdl)).toEqual(viaGraphqlJs(sdl))
      }),
      { numRuns: 100 },
    )
  })

  test('an extension of what is not there defines it, as parts of larger schemas do', () => {
    expect(readSdl('extend type Query { a: Int }').query).toBe('Query')
  })

  test.each([
    ['type Query { a: }', 'line 1: a name is expected where "}" stands'],
    ['type Query {\n a Int }', 'line 2: ":" is expected where "Int }" stands'],
    ['type Query { a: Int', 'line 1: a name is expected where the end stands'],
    ['type A { a: Int } type A { b: Int }', 'the type "A" is defined twice'],
    ['type A { a: Int } extend input A { b: Int }', '"A" is extended as another kind of type'],
    ['{ a }', 'a type definition'],
    ['fragment F on A { a }', 'a type definition'],
    ['type Query { a(x: String = "\\q"): Int }', 'something else'],
    ['type Query { a(x: Int = 01): Int }', 'something else'],
    ['type Query { a: Int } ?', 'something else'],
  ])('says where it can not be read: %s', (sdl, what) => {
    expect(() => readSdl(sdl)).toThrow(what)
  })
})

describe('values', () => {
  test('block texts lose the indentation they share', () => {
    const line = fc
      .array(fc.constantFrom(' ', '  ', '\t', 'a', 'é', '"', '\\'), { maxLength: 5 })
      .map((parts) => parts.join(''))
    const block = fc.array(line, { maxLength: 5 }).map((lines) => lines.join('\n'))
    fc.assert(
      fc.property(block, (raw) => {
        fc.pre(!raw.endsWith('"') && !raw.endsWith('\\') && !raw.includes('"""'))
        const value = parseValue(`"""${raw}"""`)
        expect(blockText(raw)).toBe(value.kind === 'StringValue' ? value.value : undefined)
      }),
    )
  })

  test('texts are what graphql-js takes them for', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (text) => {
        expect(createLexer(JSON.stringify(text)).take().text).toBe(text)
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
    `"${'x'.repeat(20_000)}"`,
  ])('%j is none', (text) => {
    expect(readLiteral(text)).toBeUndefined()
  })
})

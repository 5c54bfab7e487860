import { buildSchema, executeSync, parse, validate } from 'graphql'
import { describe, expect, test } from 'vitest'
import { answerOf } from './fixtures/graphql-server.ts'
import { SHOP_SDL } from './fixtures/shop.ts'
import { readGraphql } from './read-graphql.ts'
import {
  INTROSPECTION_QUERY,
  ONE_OF_QUERY,
  PLAIN_INTROSPECTION_QUERY,
  readIntrospectionAnswer,
} from './schema/read-introspection.ts'

const schema = buildSchema(SHOP_SDL)
const OPTIONS = { name: 'shop', endpoint: 'https://shop.example/graphql', allow: ['mutation.*'] }
const answer = (query: string) => answerOf(executeSync({ schema, document: parse(query) }))

describe('the introspection queries', () => {
  test.each([INTROSPECTION_QUERY, PLAIN_INTROSPECTION_QUERY, ONE_OF_QUERY])(
    'are valid: %s',
    (query) => {
      expect(validate(schema, parse(query))).toEqual([])
    },
  )

  test('return the whole schema', () => {
    expect(
      readGraphql(
        readIntrospectionAnswer(answer(INTROSPECTION_QUERY), answer(ONE_OF_QUERY)),
        OPTIONS,
      ),
    ).toEqual(readGraphql(SHOP_SDL, OPTIONS))
  })

  test("return old servers' schemas too, except for @oneOf", () => {
    const { report } = readGraphql(
      readIntrospectionAnswer(answer(PLAIN_INTROSPECTION_QUERY)),
      OPTIONS,
    )
    expect(report.tools).toBe(readGraphql(SHOP_SDL, OPTIONS).report.tools)
  })
})

describe('an answer without a schema', () => {
  test.each([
    [
      'a refusal',
      answerOf({ errors: [{ message: 'introspection is not allowed' }] }),
      'introspection is not allowed',
    ],
    ['no sign-in', answerOf({}, 401), '401'],
    ['a page', answerOf('<html>'), 'GraphQL response'],
    ['too much', { ...answerOf({}), isCut: true }, 'larger answer than is accepted'],
    ['something else', answerOf({ data: { a: 1 } }), 'no __schema'],
  ])('is refused with the reason: %s', (_, given, what) => {
    expect(() => readIntrospectionAnswer(given)).toThrow(what)
  })
})

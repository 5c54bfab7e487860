import type { ForeignCall } from '@surehand/core/host'
import type { Send, SourceAnswer, SourceRequest } from '@surehand/vault'
import { describe, expect, test } from 'vitest'
import { answerOf, graphqlServer } from './fixtures/graphql-server.ts'
import { ANN, openShop, summarize } from './fixtures/open-shop.ts'
import { SHOP_SDL, shopSchema } from './fixtures/shop.ts'
import { graphqlSource } from './graphql-source.ts'
import { readGraphql } from './read-graphql.ts'

const FREE = { approval: 'none' } as const
const PRODUCT = { id: '1', name: 'A', price: 2, sizes: ['SMALL'] }

/** The shop behind a server that says one thing, whatever it is asked. */
function shopThatHears(answer: SourceAnswer | Error) {
  const requests: SourceRequest[] = []
  const send: Send = async (request) => {
    requests.push(request)
    if (answer instanceof Error) throw answer
    return answer
  }
  return {
    ...openShop(send, { overlay: { 'mutation.placeOrder': FREE, 'mutation.cancelOrder': FREE } }),
    requests,
  }
}

const cancel = (answer: SourceAnswer | Error) =>
  shopThatHears(answer).call('shop.cancelOrder', { id: 'o' }, { idempotencyKey: 'k' })
const find = (answer: SourceAnswer | Error) =>
  shopThatHears(answer).call('shop.product', { id: '1' })
const problem = (message: string, more: object = {}) => ({ message, ...more })

describe('a request', () => {
  test('is one POST to the endpoint, with what was validated and nothing else', async () => {
    const { call, requests } = shopThatHears(answerOf({ data: { product: PRODUCT } }))
    await call('shop.product', { id: '1' })
    expect(requests).toEqual([
      {
        method: 'POST',
        url: 'https://shop.example/graphql',
        headers: {
          'content-type': 'application/json',
          accept: 'application/graphql-response+json, application/json;q=0.9',
        },
        body: JSON.stringify({
          query: 'query product($id: ID!) { product(id: $id) { id name price tags sizes } }',
          operationName: 'product',
          variables: { id: '1' },
        }),
        security: [[{ scheme: 'bearer', scopes: [], type: 'http', http: 'bearer' }]],
        maxBytes: 5 * 1024 * 1024,
      },
    ])
  })

  test("of a server that does each key once carries the call's key in that header", async () => {
    const requests: SourceRequest[] = []
    const send: Send = async (request) => {
      requests.push(request)
      return answerOf({ data: { cancelOrder: { id: 'o', total: 1 } } })
    }
    const { call } = openShop(send, {
      overlay: { 'mutation.cancelOrder': { ...FREE, once: { header: 'Idempotency-Key' } } },
    })
    await call('shop.cancelOrder', { id: 'o' }, { idempotencyKey: 'mine' })
    expect(requests[0]?.headers['idempotency-key']).toMatch(/.+/)
  })

  test('asks for the fields that a caller wants, and never for anything outside the schema', async () => {
    const { call, requests } = shopThatHears(
      answerOf({ data: { products: { nodes: [PRODUCT], totalCount: 1 } } }),
    )
    const outcome = await call('shop.products', { select: ['nodes.name', 'totalCount'] })
    expect(JSON.parse(String(requests[0]?.body)).query).toContain('{ totalCount nodes { name } }')
    expect(summarize(outcome)).toEqual({ data: { totalCount: 1, nodes: [{ name: 'A' }] } })
  })

  test.each([
    'nodes.secret',
    'nodes { name }',
    '__schema',
    'nodes.name.x',
    '',
    'pageInfo.__typename',
  ])('is not sent for the path %j', async (path) => {
    const { call, requests } = shopThatHears(answerOf({ data: {} }))
    expect(summarize(await call('shop.products', { select: [path] }))).toBe(
      'TOOL_INVALID_FIELD_VALUE',
    )
    expect(requests).toEqual([])
  })

  test('is never a mutation for a read', async () => {
    const { operations } = readGraphql(SHOP_SDL, {
      name: 'shop',
      endpoint: 'https://shop.example/graphql',
      allow: ['mutation.*'],
    })
    const requests: SourceRequest[] = []
    const source = graphqlSource(operations, async (request) => {
      requests.push(request)
      return answerOf({ data: {} })
    })
    const call: ForeignCall = {
      tool: 'shop.cancelOrder',
      input: { id: 'o' },
      caller: ANN,
      callId: 'c',
      idempotencyKey: 'k',
    }
    await expect(source.read(call, new AbortController().signal)).rejects.toMatchObject({
      code: 'TOOL_CONFIGURATION_ERROR',
    })
    expect(requests).toEqual([])
  })
})

describe('an answer that is too large for a model', () => {
  const large = { ...PRODUCT, name: 'x'.repeat(300_000) }

  test('is shortened and says so, also where nothing can store the whole of it', async () => {
    expect(summarize(await find(answerOf({ data: { product: large } })))).toEqual({
      data: { ...PRODUCT, name: 'x'.repeat(4_000) },
      truncated:
        'lists were cut after 100 items and texts after 4000 characters; ask for less at a time, or for fewer fields',
    })
  })

  test('without a list or text that can be cut is the beginning of its JSON', async () => {
    const tags = Object.fromEntries(
      Array.from({ length: 30_000 }, (_, index) => [`key${index}`, 1]),
    )
    const { data } = summarize(
      await find(answerOf({ data: { product: { ...PRODUCT, tags } } })),
    ) as { readonly data: string }
    expect(data).toHaveLength(4_000)
    expect(data).toMatch(/^\{"id":"1","name":"A",.*"key0":1,/)
  })
})

describe('a mutation', () => {
  test('requires approval unless the importer says otherwise', async () => {
    const requests: SourceRequest[] = []
    const { call } = openShop(async (request) => {
      requests.push(request)
      return answerOf({ data: {} })
    })
    expect(
      summarize(await call('shop.placeOrder', { input: { lines: [] } }, { idempotencyKey: 'k' })),
    ).toBe('pending')
    expect(requests).toEqual([])
  })

  test('that was done answers with its result', async () => {
    expect(
      summarize(await cancel(answerOf({ data: { cancelOrder: { id: 'o', total: 1 } } }))),
    ).toEqual({
      data: { id: 'o', total: 1 },
    })
  })

  test.each([
    [
      'an error within its result',
      {
        data: { cancelOrder: { id: 'o', find: null } },
        errors: [
          problem('x', { path: ['cancelOrder', 'find'], extensions: { code: 'FORBIDDEN' } }),
        ],
      },
    ],
    [
      'an error within its result that took all of it',
      {
        data: null,
        errors: [
          problem('x', { path: ['cancelOrder', 'total'], extensions: { code: 'NOT_FOUND' } }),
        ],
      },
    ],
    [
      'an error of its own that nobody can read',
      { data: { cancelOrder: null }, errors: [problem('x', { path: ['cancelOrder'] })] },
    ],
    [
      'an error of its own that says it broke',
      {
        data: null,
        errors: [
          problem('x', { path: ['cancelOrder'], extensions: { code: 'INTERNAL_SERVER_ERROR' } }),
        ],
      },
    ],
    ['neither data nor an error', { data: null }],
  ])('with %s in its answer may have been done', async (_, body) => {
    expect(summarize(await cancel(answerOf(body)))).toBe('TOOL_OUTCOME_UNKNOWN')
  })

  test.each([
    ['500', answerOf({ errors: [problem('no', { extensions: { code: 'FORBIDDEN' } })] }, 500)],
    ['no JSON', answerOf('<html>', 200, 'text/html')],
    ['too much', { ...answerOf('{"data":'), isCut: true }],
    ['a broken connection', Object.assign(new Error('reset'), { code: 'ECONNRESET' })],
    [
      'depth without end',
      answerOf(`{"data":{"cancelOrder":${'['.repeat(5000)}${']'.repeat(5000)}}}`),
    ],
  ])('that is answered with %s may have been done', async (_, answer) => {
    expect(summarize(await cancel(answer))).toBe('TOOL_OUTCOME_UNKNOWN')
  })

  test.each([
    ['UNAUTHENTICATED', 'TOOL_API_KEY_INVALID'],
    ['FORBIDDEN', 'TOOL_RESOURCE_ACCESS_DENIED'],
    ['access-denied', 'TOOL_RESOURCE_ACCESS_DENIED'],
    ['NOT_FOUND', 'TOOL_RESOURCE_NOT_FOUND'],
    ['BAD_USER_INPUT', 'TOOL_INVALID_FIELD_VALUE'],
    ['GRAPHQL_VALIDATION_FAILED', 'TOOL_INVALID_FIELD_VALUE'],
    ['CONFLICT', 'TOOL_RESOURCE_ALREADY_EXISTS'],
    ['RATE_LIMITED', 'TOOL_RATE_LIMIT_EXCEEDED'],
    ['THROTTLED', 'TOOL_RATE_LIMIT_EXCEEDED'],
  ])('that its server refuses with %s is %s', async (code, expected) => {
    const errors = [problem('no', { path: ['cancelOrder'], extensions: { code } })]
    expect(summarize(await cancel(answerOf({ data: { cancelOrder: null }, errors })))).toBe(
      expected,
    )
  })

  test('that was refused before it ran had no effect', async () => {
    expect(summarize(await cancel(answerOf({ errors: [problem('Unknown argument')] })))).toBe(
      'TOOL_INVALID_FIELD_VALUE',
    )
    expect(summarize(await cancel(answerOf({ errors: [problem('Unknown argument')] }, 400)))).toBe(
      'TOOL_INVALID_FIELD_VALUE',
    )
  })
})

describe('a read', () => {
  test('that returned only a part says which part is missing', async () => {
    const body = {
      data: { product: { ...PRODUCT, tags: null } },
      errors: [problem('down', { path: ['product', 'tags'], type: 'SERVICE' })],
    }
    expect(summarize(await find(answerOf(body)))).toEqual({
      data: { ...PRODUCT, tags: null },
      incomplete:
        'Parts of this answer are missing because the server failed on them, not because there is nothing: product.tags.',
      errors: [{ message: 'down', path: 'product.tags', code: 'SERVICE' }],
    })
  })

  test('that returned nothing because of an error is not an empty answer', async () => {
    const errors = [problem('No such product', { type: 'NOT_FOUND', path: ['product'] })]
    expect(summarize(await find(answerOf({ data: { product: null }, errors })))).toBe(
      'TOOL_RESOURCE_NOT_FOUND',
    )
  })

  test('that exceeded a rate limit says when to try again', async () => {
    const limited = {
      ...answerOf({ errors: [problem('slow down', { type: 'RATE_LIMITED' })] }),
      headers: { 'retry-after': '7' },
    }
    const { operations } = readGraphql(SHOP_SDL, {
      name: 'shop',
      endpoint: 'https://shop.example/graphql',
    })
    const call: ForeignCall = {
      tool: 'shop.product',
      input: { id: '1' },
      caller: ANN,
      callId: 'c',
      idempotencyKey: 'k',
    }
    await expect(
      graphqlSource(operations, async () => limited).read(call, new AbortController().signal),
    ).rejects.toMatchObject({
      code: 'TOOL_RATE_LIMIT_EXCEEDED',
      details: { retry_after_ms: 7_000 },
    })
  })

  test('that returned nothing without an error is an empty answer', async () => {
    expect(summarize(await find(answerOf({ data: { product: null } })))).toEqual({ data: null })
  })

  test("reports the server's messages, made visible and bounded", async () => {
    const errors = [
      problem('a\u202Eb', { extensions: { code: 'NOT_FOUND' } }),
      problem('x'.repeat(5_000)),
      ...Array(50).fill(problem('more')),
    ]
    const outcome = await find(answerOf({ errors }))
    if (outcome.status !== 'failed') throw new Error('it did not fail')
    const reported = outcome.error.details?.provider_errors as { message: string }[]
    expect(reported).toHaveLength(10)
    expect(reported.slice(0, 2).map(({ message }) => message)).toEqual([
      'a⟨U+202E⟩b',
      '(left out: longer than 2000 characters)',
    ])
  })

  test('leaves out what was not asked for, and keeps types apart', async () => {
    const server = graphqlServer(shopSchema(), {
      search: () => [
        { __typename: 'Product', ...PRODUCT },
        { __typename: 'Voucher', id: '2', name: 'V', price: 'ten', worth: 3 },
      ],
    })
    const { call } = openShop(server.send)
    expect(summarize(await call('shop.search', { text: 'a' }))).toEqual({
      data: [
        { __typename: 'Product', id: '1', name: 'A', price: 2, tags: null },
        { __typename: 'Voucher', id: '2', name: 'V', price: 'ten', worth: 3 },
      ],
    })
    expect(server.asked[0]?.query).toContain('Product__price: price')
  })

  test('contains no prototype keys and no lone surrogates', async () => {
    const text =
      '{"data":{"product":{"id":"1","name":"\\ud800","tags":{"__proto__":{"polluted":1},"ok":1},"evil":1,"__proto__":{"polluted":1}}}}'
    const outcome = await find(answerOf(text))
    expect(summarize(outcome)).toEqual({ data: { id: '1', name: '\uFFFD', tags: { ok: 1 } } })
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})

import fc from 'fast-check'
import { type GraphQLField, getVariableValues, Kind, parse } from 'graphql'
import { beforeEach, describe, expect, test } from 'vitest'
import { type GraphqlServer, graphqlServer } from './fixtures/graphql-server.ts'
import { openShop, type Shop } from './fixtures/open-shop.ts'
import { randomInput } from './fixtures/random-input.ts'
import { shopSchema } from './fixtures/shop.ts'

const FREE = { approval: 'none', reversible: true } as const
const schema = shopSchema()
const products = schema.getQueryType()?.getFields().products as GraphQLField<unknown, unknown>
const placeOrder = schema.getMutationType()?.getFields().placeOrder as GraphQLField<
  unknown,
  unknown
>
const product = { id: '1', name: 'A', price: 1, sizes: ['SMALL'], tags: null }

let arrived: unknown[]
let server: GraphqlServer
let shop: Shop

beforeEach(() => {
  arrived = []
  const keep =
    <T>(answer: T) =>
    (given: unknown): T => {
      arrived.push(JSON.parse(JSON.stringify(given)))
      return answer
    }
  server = graphqlServer(schema, {
    products: keep({ nodes: [product], pageInfo: { hasNextPage: false }, totalCount: 1 }),
    placeOrder: keep({ id: 'o', total: 1, items: [{ __typename: 'Product', ...product }] }),
  })
  shop = openShop(server.send, { overlay: { 'mutation.placeOrder': FREE } })
})

// what graphql-js makes of an input by itself, for the declaration of the field's own arguments
function coerceInput(
  field: GraphQLField<unknown, unknown>,
  input: Record<string, unknown>,
): ReturnType<typeof getVariableValues> {
  const declared = field.args
    .map((input) => `$${input.name}: ${String(input.type)}${defaultText(input.name)}`)
    .join(', ')
  const [definition] = parse(`query(${declared}) { __typename }`).definitions
  if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error('no operation')
  return getVariableValues(schema, definition.variableDefinitions ?? [], input)
}

function defaultText(name: string): string {
  return { first: ' = 10', order: ' = SMALL', dry: ' = false' }[name] ?? ''
}

const known = new Set(['clientMutationId'])
const withoutUnoffered = (input: Record<string, unknown>): Record<string, unknown> =>
  JSON.parse(JSON.stringify(input, (key, value: unknown) => (known.has(key) ? undefined : value)))

describe.each([
  ['shop.products', products, 350],
  ['shop.placeOrder', placeOrder, 150],
] as const)('%s', (tool, field, runs) => {
  test('a value that the server accepts arrives as it was sent', async () => {
    let calls = 0
    await fc.assert(
      fc.asyncProperty(randomInput(field.args), async (random) => {
        const input = withoutUnoffered(random)
        const outcome = await shop.call(tool, input, { idempotencyKey: `k${calls++}` })
        expect(outcome.status === 'failed' ? outcome.error : outcome.status).toBe('done')
        const { variableValues } = coerceInput(field, input)
        expect(arrived.at(-1)).toEqual(JSON.parse(JSON.stringify(variableValues?.coerced)))
      }),
      { numRuns: runs },
    )
    expect(server.requests).toHaveLength(arrived.length)
  })

  test('a value that the server would refuse is refused before anything is sent', async () => {
    let refused = 0
    let calls = 0
    await fc.assert(
      fc.asyncProperty(
        randomInput(field.args),
        fc.nat(),
        fc.jsonValue({ maxDepth: 1 }),
        async (random, at, value) => {
          const input = spoilt(withoutUnoffered(random), at, value) as Record<string, unknown>
          if (coerceInput(field, input).errors === undefined) return
          refused++
          const before = server.requests.length
          const outcome = await shop.call(tool, input, { idempotencyKey: `k${calls++}` })
          expect(outcome.status).toBe('failed')
          expect(server.requests).toHaveLength(before)
        },
      ),
      { numRuns: runs },
    )
    expect(refused).toBeGreaterThan(runs / 4)
  })
})

test.each([
  {},
  { card: 'c', invoice: { email: 'e' } },
  { card: null },
  { card: 'c', invoice: null },
])('of alternatives exactly one is given: %j is refused before anything is sent', async (pay) => {
  const outcome = await shop.call(
    'shop.placeOrder',
    { input: { lines: [], pay } },
    { idempotencyKey: 'k' },
  )
  expect([outcome.status, server.requests]).toEqual(['failed', []])
})

/** The value with another in one of its places. */
function spoilt(value: unknown, at: number, other: unknown): unknown {
  if (typeof value !== 'object' || value === null) return other
  const keys = Object.keys(value)
  if (keys.length === 0 || at % 7 === 0)
    return Array.isArray(value) ? other : { ...value, [`odd${at % 3}`]: other }
  const key = keys[at % keys.length] ?? ''
  const member = spoilt(
    (value as Record<string, unknown>)[key],
    Math.floor(at / keys.length),
    other,
  )
  return Array.isArray(value)
    ? value.map((item, index) => (String(index) === key ? member : item))
    : { ...value, [key]: member }
}

import { buildSchema, GraphQLError, graphql } from 'graphql'
import { z } from 'zod'
import { parse, readBody } from '../api/read-body.ts'
import { describeSlot, planSlots } from '../booking/slots.ts'
import { findProduct } from '../catalog/catalog.ts'
import { describeProduct } from '../catalog/describe.ts'
import { filterProducts } from '../catalog/filter.ts'
import { type SearchHit, search } from '../content/search.ts'
import { Refusal } from '../refusal.ts'
import {
  addLine,
  applyCoupon,
  createCart,
  type NewLine,
  readCart,
  removeLine,
  updateLine,
} from '../selling/carts.ts'
import type { Shop } from '../shop.ts'
import { answerOnce } from '../store/answer-once.ts'
import { json } from '../web/respond.ts'
import type { Route, Visit } from '../web/route.ts'

const Query = z.object({
  query: z.string().max(20_000),
  variables: z.record(z.string(), z.unknown()).nullish(),
  operationName: z.string().max(200).nullish(),
})
const MAX_DEPTH = 16

async function answerQuery(visit: Visit): Promise<Response> {
  const { query, variables, operationName } = await readBody(visit, Query)
  if (depthOf(query) > MAX_DEPTH)
    throw new Refusal(
      'invalid_request',
      `A query is at most ${MAX_DEPTH} levels deep. Ask for less.`,
    )
  const { errors, data } = await graphql({
    schema: SCHEMA,
    source: query,
    rootValue: createRoot(visit.shop),
    variableValues: variables ?? {},
    operationName: operationName ?? null,
  })
  return json({ ...(errors !== undefined && { errors }), ...(data !== undefined && { data }) })
}

function depthOf(query: string): number {
  let depth = 0
  let deepest = 0
  for (const character of query) {
    if (character === '{') deepest = Math.max(deepest, ++depth)
    if (character === '}') depth -= 1
  }
  return deepest
}

export const GRAPHQL_ROUTES: readonly Route[] = [
  { method: 'POST', path: '/graphql', handle: answerQuery },
]

type Keyed = { readonly idempotencyKey: string }
type OfCart = Keyed & { readonly cartId: string }
type ProductsArguments = {
  readonly q?: string
  readonly category?: string
  readonly colour?: string
  readonly maxPrice?: number
  readonly sort: 'featured' | 'price' | 'name'
  readonly first: number
  readonly offset: number
}
type SlotsArguments = {
  readonly resourceId?: string
  readonly from?: string
  readonly to?: string
  readonly first: number
}

const First = z.int().min(1).max(100)
const Offset = z.int().min(0)
const Quantity = z.int().min(1).max(999)
const Notes = z.string().max(400).optional()
const Key = z.string().regex(/^[\x21-\x7e]{8,255}$/, 'Send 8 to 255 characters')
const Moment = z.iso.datetime({ offset: true })

/** The functions behind the fields of Query and Mutation. */
function createRoot(shop: Shop): Readonly<Record<string, unknown>> {
  return wrapRefusals({ ...queries(shop), ...mutations(shop) })
}

function queries(shop: Shop) {
  return {
    products({ first, offset, ...filter }: ProductsArguments) {
      const found = filterProducts(shop, filter)
      const start = parse(Offset, offset, 'offset')
      const items = found.slice(start, start + parse(First, first, 'first'))
      return { items: items.map((product) => describeProduct(shop, product)), total: found.length }
    },
    product({ productId }: { readonly productId: string }) {
      const product = findProduct(productId)
      return product === undefined ? null : describeProduct(shop, product)
    },
    search(given: {
      readonly q: string
      readonly kind?: SearchHit['kind']
      readonly first: number
    }) {
      return search(shop, given.q.slice(0, 1000), given.kind).slice(
        0,
        parse(First, given.first, 'first'),
      )
    },
    cart({ cartId }: { readonly cartId: string }) {
      return readCart(shop, cartId)
    },
    slots({ resourceId, from, to, first }: SlotsArguments) {
      const planned = planSlots(shop, {
        resourceId,
        fromMs: from === undefined ? 0 : Date.parse(parse(Moment, from, 'from')),
        toMs: to === undefined ? Number.POSITIVE_INFINITY : Date.parse(parse(Moment, to, 'to')),
        partySize: 1,
      })
      return planned
        .map((slot) => describeSlot(shop, slot, undefined))
        .filter(({ state }) => state === 'free')
        .slice(0, parse(First, first, 'first'))
    },
  }
}

function mutations(shop: Shop) {
  const once = (name: string, given: Keyed, work: () => unknown): unknown => {
    const key = `graphql_${parse(Key, given.idempotencyKey, 'idempotencyKey')}`
    return answerOnce(shop, { key, request: [name, given] }, () => ({ status: 200, body: work() }))
      .body
  }
  return {
    createCart: (given: Keyed) =>
      once('createCart', given, () => readCart(shop, createCart(shop, undefined))),
    addCartLine: (given: OfCart & { readonly line: NewLine }) =>
      once('addCartLine', given, () => {
        const { line, cartId } = given
        const quantity = parse(Quantity, line.quantity, 'quantity')
        const notes = parse(Notes, line.notes, 'notes')
        const lineId = addLine(shop, cartId, { ...line, quantity, notes })
        return { lineId, cart: readCart(shop, cartId) }
      }),
    updateCartLine: (given: OfCart & { readonly lineId: string; readonly quantity: number }) =>
      once('updateCartLine', given, () => {
        updateLine(shop, given.cartId, given.lineId, parse(Quantity, given.quantity, 'quantity'))
        return readCart(shop, given.cartId)
      }),
    removeCartLine: (given: OfCart & { readonly lineId: string }) =>
      once('removeCartLine', given, () => {
        removeLine(shop, given.cartId, given.lineId)
        return readCart(shop, given.cartId)
      }),
    applyCoupon: (given: OfCart & { readonly code: string }) =>
      once('applyCoupon', given, () => {
        applyCoupon(shop, given.cartId, given.code)
        return readCart(shop, given.cartId)
      }),
  }
}

type Resolver = (given: never) => unknown

// A refusal is an error with its code; anything else is a bug, and graphql-js would print its text.
function wrapRefusals(resolvers: Readonly<Record<string, Resolver>>) {
  const wrapped = Object.entries(resolvers).map(([name, resolve]) => [
    name,
    (given: never) => {
      try {
        return resolve(given)
      } catch (thrown) {
        if (thrown instanceof Refusal)
          throw new GraphQLError(thrown.message, { extensions: { code: thrown.code } })
        throw new GraphQLError('The shop has a problem. Try again in a minute.', {
          originalError: thrown instanceof Error ? thrown : undefined,
          extensions: { code: 'internal' },
        })
      }
    },
  ])
  return Object.fromEntries(wrapped) as Readonly<Record<string, unknown>>
}

/** The GraphQL schema: the catalogue, carts and slots, for clients that prefer it to the API. */
const SCHEMA = buildSchema(`
"An amount in minor units of its currency."
type Money { amount: Int! currency: String! }
type Variant {
  variantId: ID!
  name: String!
  sku: String!
  price: Money!
  inStock: Boolean!
  available: Int!
}
type Product {
  productId: ID!
  name: String!
  summary: String!
  description: String!
  category: String!
  colours: [String!]!
  priceFrom: Money!
  inStock: Boolean!
  url: String!
  image: String!
  details: [String!]!
  variants: [Variant!]!
}
type ProductPage { items: [Product!]! total: Int! }
enum PageKind { catalog blog docs other }
type SearchHit {
  kind: PageKind!
  title: String!
  snippet: String!
  url: String!
  score: Float!
  productId: ID
  priceFrom: Money
}
type CartLine {
  lineId: ID!
  productId: ID!
  variantId: ID!
  name: String!
  quantity: Int!
  unitPrice: Money!
  total: Money!
  notes: String
}
type Totals { subtotal: Money! discount: Money! shipping: Money! tax: Money! total: Money! }
type Cart {
  cartId: ID!
  revision: Int!
  state: String!
  lines: [CartLine!]!
  coupons: [String!]!
  totals: Totals!
  url: String!
}
type AddedLine { lineId: ID! cart: Cart! }
type Slot {
  slotId: ID!
  resourceId: ID!
  title: String!
  start: String!
  end: String!
  price: Money!
  capacity: Int!
  state: String!
}
enum ProductSort { featured price name }
type Query {
  "Products, filtered by category, colour, price and words."
  products(q: String, category: String, colour: String, maxPrice: Int, sort: ProductSort = featured, first: Int = 24, offset: Int = 0): ProductPage!
  product(productId: ID!): Product
  "Products, articles and help pages, the best first."
  search(q: String!, kind: PageKind, first: Int = 24): [SearchHit!]!
  cart(cartId: ID!): Cart
  "Free slots in time order. Times are RFC 3339."
  slots(resourceId: ID, from: String, to: String, first: Int = 24): [Slot!]!
}
input LineInput { productId: ID! variantId: ID quantity: Int = 1 notes: String }
type Mutation {
  "Every mutation takes an idempotency key: the same key has the same answer and no second effect."
  createCart(idempotencyKey: String!): Cart!
  addCartLine(cartId: ID!, line: LineInput!, idempotencyKey: String!): AddedLine!
  updateCartLine(cartId: ID!, lineId: ID!, quantity: Int!, idempotencyKey: String!): Cart!
  removeCartLine(cartId: ID!, lineId: ID!, idempotencyKey: String!): Cart!
  applyCoupon(cartId: ID!, code: String!, idempotencyKey: String!): Cart!
}
`)

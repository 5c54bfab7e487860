import { GraphQLError } from 'graphql'
import { z } from 'zod'
import { parse } from '../api/read-body.ts'
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
export function createRoot(shop: Shop): Readonly<Record<string, unknown>> {
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

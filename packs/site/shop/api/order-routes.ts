import { createHash, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { notFound, Refusal } from '../refusal.ts'
import { readCheckout, startCheckout, toPublicCheckout } from '../selling/checkouts.ts'
import {
  cancelOrder,
  findCartOrder,
  listOrders,
  placeOrder,
  readOrder,
  toPublicOrder,
} from '../selling/orders.ts'
import type { Shop } from '../shop.ts'
import { json } from '../web/respond.ts'
import type { Route, Visit } from '../web/route.ts'
import { answerKeyed } from './keyed.ts'
import { Cursor, decodeCursor, encodeCursor, Limit } from './paging.ts'
import { ContactBody, MoneyBody, readBody, readQuery } from './read-body.ts'

const CheckoutBody = z.strictObject({
  returnUrl: z.string().max(2048),
  contact: ContactBody.optional(),
})
const OrderBody = z.strictObject({
  checkoutToken: z.string().max(80),
  expectedTotal: MoneyBody,
  payment: z
    .strictObject({
      method: z.enum(['shop_page', 'at_shop', 'token']),
      token: z.string().max(64).optional(),
    })
    .default({ method: 'shop_page' }),
  contact: ContactBody.optional(),
})
const ReasonBody = z.strictObject({ reason: z.string().max(400).optional() })
const PageQuery = z.object({ limit: Limit, cursor: Cursor })

async function postCheckout(visit: Visit): Promise<Response> {
  const body = await readBody(visit, CheckoutBody)
  const { shop, params } = visit
  return answerKeyed(visit, body, () => {
    const token = startCheckout(shop, { cartId: params.cartId ?? '', ...body })
    return { status: 201, body: toPublicCheckout(readCheckout(shop, token)) }
  })
}

async function postOrder(visit: Visit): Promise<Response> {
  const body = await readBody(visit, OrderBody)
  return answerKeyed(visit, body, () => {
    const { orderId, isNew } = placeOrder(visit.shop, body)
    return { status: isNew ? 201 : 200, body: viewOrder(visit.shop, orderId) }
  })
}

async function postCancellation(visit: Visit): Promise<Response> {
  const body = await readBody(visit, ReasonBody)
  const { shop, params } = visit
  return answerKeyed(visit, body, () => {
    cancelOrder(shop, params.orderId ?? '')
    return { status: 200, body: viewOrder(shop, params.orderId ?? '') }
  })
}

function viewOrder(shop: Shop, orderId: string) {
  return toPublicOrder(readOrder(shop, orderId))
}

function getCartOrder({ shop, params }: Visit): Response {
  const orderId = findCartOrder(shop, params.cartId ?? '')
  if (orderId === undefined) throw notFound('An order of this cart')
  return json(viewOrder(shop, orderId))
}

function getOrders(visit: Visit): Response {
  const { shop, request } = visit
  requireOwner(shop, request.headers.get('authorization') ?? '')
  const { limit, cursor } = readQuery(visit, PageQuery)
  const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : decodeCursor(cursor)
  const orders = listOrders(shop, { limit, before })
  const last = Number(orders.at(-1)?.number.slice(3))
  return json({
    items: orders.map(toPublicOrder),
    ...(orders.length === limit && { nextCursor: encodeCursor(last) }),
  })
}

function requireOwner({ settings }: Shop, authorization: string): void {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const expected = digest(`Bearer ${settings.ownerKey ?? ''}`)
  if (settings.ownerKey === undefined || !timingSafeEqual(expected, digest(authorization)))
    throw new Refusal('unauthorized', 'Send the owner’s key as a bearer token.')
}

export const ORDER_ROUTES: readonly Route[] = [
  { method: 'POST', path: '/api/carts/{cartId}/checkouts', handle: postCheckout },
  {
    method: 'GET',
    path: '/api/checkouts/{checkoutToken}',
    handle: ({ shop, params }) =>
      json(toPublicCheckout(readCheckout(shop, params.checkoutToken ?? ''))),
  },
  { method: 'POST', path: '/api/orders', handle: postOrder },
  { method: 'GET', path: '/api/orders', handle: getOrders },
  {
    method: 'GET',
    path: '/api/orders/{orderId}',
    handle: ({ shop, params }) => json(viewOrder(shop, params.orderId ?? '')),
  },
  { method: 'POST', path: '/api/orders/{orderId}/cancellation', handle: postCancellation },
  { method: 'GET', path: '/api/carts/{cartId}/order', handle: getCartOrder },
]

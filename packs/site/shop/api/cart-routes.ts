import { z } from 'zod'
import { notFound } from '../refusal.ts'
import {
  addLine,
  applyCoupon,
  createCart,
  findSessionCart,
  openSessionCart,
  readCart,
  removeCoupon,
  removeLine,
  requireOpen,
  updateLine,
} from '../selling/carts.ts'
import { quoteCart } from '../selling/checkouts.ts'
import { json } from '../web/respond.ts'
import type { Route, Visit } from '../web/route.ts'
import { answerKeyed } from './keyed.ts'
import { parse, readBody, Session } from './read-body.ts'

const Quantity = z.int().min(1).max(999)
const LineBody = z.strictObject({
  productId: z.string().max(64),
  variantId: z.string().max(64).optional(),
  quantity: Quantity.default(1),
  notes: z.string().max(400).optional(),
})
const CartBody = z.strictObject({ session: Session.optional() })
const QuantityBody = z.strictObject({ quantity: Quantity })
const CouponBody = z.strictObject({ code: z.string().min(1).max(64) })

const cartIdOf = ({ params }: Visit): string => params.cartId ?? ''
const sessionOf = ({ params }: Visit): string => parse(Session, params.session, 'session')

/** Changes a cart once for its key and answers with the cart. */
function changeCart(visit: Visit, body: unknown, change: (cartId: string) => void): Response {
  const cartId = cartIdOf(visit)
  return answerKeyed(visit, body, () => {
    requireOpen(visit.shop, cartId, visit.request.headers.get('if-match') ?? undefined)
    change(cartId)
    return { status: 200, body: readCart(visit.shop, cartId) }
  })
}

async function postCart(visit: Visit): Promise<Response> {
  const body = await readBody(visit, CartBody)
  const { shop } = visit
  return answerKeyed(visit, body, () => {
    const cartId =
      body.session === undefined ? createCart(shop, undefined) : openSessionCart(shop, body.session)
    return { status: 201, body: readCart(shop, cartId) }
  })
}

function getSessionCart(visit: Visit): Response {
  const cartId = findSessionCart(visit.shop, sessionOf(visit))
  if (cartId === undefined) throw notFound('A cart of this session')
  return json(readCart(visit.shop, cartId))
}

async function postSessionLine(visit: Visit): Promise<Response> {
  const body = await readBody(visit, LineBody)
  const session = sessionOf(visit)
  const { shop } = visit
  return answerKeyed(visit, body, () => {
    const cartId = openSessionCart(shop, session)
    const lineId = addLine(shop, cartId, body)
    return { status: 201, body: { lineId, cart: readCart(shop, cartId) } }
  })
}

async function postLine(visit: Visit): Promise<Response> {
  const body = await readBody(visit, LineBody)
  const { shop } = visit
  const cartId = cartIdOf(visit)
  return answerKeyed(visit, body, () => {
    requireOpen(shop, cartId, visit.request.headers.get('if-match') ?? undefined)
    const lineId = addLine(shop, cartId, body)
    return { status: 201, body: { lineId, cart: readCart(shop, cartId) } }
  })
}

async function patchLine(visit: Visit): Promise<Response> {
  const body = await readBody(visit, QuantityBody)
  return changeCart(visit, body, (cartId) =>
    updateLine(visit.shop, cartId, visit.params.lineId ?? '', body.quantity),
  )
}

async function postCoupon(visit: Visit): Promise<Response> {
  const body = await readBody(visit, CouponBody)
  return changeCart(visit, body, (cartId) => applyCoupon(visit.shop, cartId, body.code))
}

export const CART_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/api/sessions/{session}/cart', handle: getSessionCart },
  { method: 'POST', path: '/api/sessions/{session}/lines', handle: postSessionLine },
  { method: 'POST', path: '/api/carts', handle: postCart },
  {
    method: 'GET',
    path: '/api/carts/{cartId}',
    handle: (visit) => json(readCart(visit.shop, cartIdOf(visit))),
  },
  { method: 'POST', path: '/api/carts/{cartId}/lines', handle: postLine },
  { method: 'PATCH', path: '/api/carts/{cartId}/lines/{lineId}', handle: patchLine },
  {
    method: 'DELETE',
    path: '/api/carts/{cartId}/lines/{lineId}',
    handle: (visit) =>
      changeCart(visit, null, (cartId) =>
        removeLine(visit.shop, cartId, visit.params.lineId ?? ''),
      ),
  },
  { method: 'POST', path: '/api/carts/{cartId}/coupons', handle: postCoupon },
  {
    method: 'DELETE',
    path: '/api/carts/{cartId}/coupons/{code}',
    handle: (visit) =>
      changeCart(visit, null, (cartId) =>
        removeCoupon(visit.shop, cartId, visit.params.code ?? ''),
      ),
  },
  {
    method: 'GET',
    path: '/api/carts/{cartId}/quote',
    handle: (visit) => json(quoteCart(visit.shop, cartIdOf(visit))),
  },
]

import { isToolError, ToolError } from '@surehand/core'
import { Money } from '@surehand/documents'
import { z } from 'zod'
import type { Cart, Commerce, Shopper } from '../commerce/commerce-port.ts'
import { type ShopAccess, sendToShop, shopSession } from './send-to-shop.ts'

const Totals = z.object({
  subtotal: Money,
  discount: Money,
  shipping: Money,
  tax: Money,
  total: Money,
})
const Line = z
  .object({
    lineId: z.string(),
    productId: z.string(),
    variantId: z.string(),
    name: z.string(),
    quantity: z.int(),
    unitPrice: Money,
    total: Money,
    notes: z.string().optional(),
  })
  .transform(({ lineId, ...line }) => ({ cartLineId: lineId, ...line }))
const CartAnswer = z.object({
  cartId: z.string(),
  revision: z.int(),
  state: z.enum(['open', 'ordered']),
  lines: z.array(Line),
  coupons: z.array(z.string()),
  totals: Totals,
  url: z.string().optional(),
})
const AddedAnswer = z.object({ lineId: z.string(), cart: CartAnswer })
const ProductAnswer = z.object({
  productId: z.string(),
  name: z.string(),
  url: z.string().optional(),
  variants: z.array(
    z.object({
      variantId: z.string(),
      name: z.string(),
      price: Money,
      inStock: z.boolean(),
      available: z.int().optional(),
      attributes: z.record(z.string(), z.string()).default({}),
    }),
  ),
})
const QuoteAnswer = z.object({
  cartId: z.string(),
  lines: z.array(Line),
  totals: Totals,
  terms: z.array(z.string()),
})
const CheckoutAnswer = z.object({
  checkoutToken: z.string(),
  cartId: z.string(),
  totals: Totals,
  payUrl: z.string().optional(),
  expiresAt: z.string().optional(),
})
const OrderAnswer = z.object({
  orderId: z.string(),
  cartId: z.string(),
  state: z.enum(['placed', 'payment_pending', 'paid', 'cancelled']),
  lines: z.array(Line),
  totals: Totals,
  placedAt: z.string(),
  url: z.string().optional(),
  payUrl: z.string().optional(),
})

type Send = <S extends z.ZodType>(
  shopper: Shopper,
  request: Parameters<typeof sendToShop>[1],
  answer: S,
) => Promise<z.output<S>>

/** The demo shop's REST API (`/openapi.json`): every write carries our key. */
export function shopCommerce(accessFor: (tenant: string) => Promise<ShopAccess>): Commerce {
  const send: Send = async ({ tenant }, request, answer) =>
    sendToShop(await accessFor(tenant), request, answer)
  return { ...shopReads(send), ...cartWrites(send), ...orderWrites(send) }
}

function readCart(
  send: Send,
  { shopper, cartId }: { readonly shopper: Shopper; readonly cartId?: string },
  signal: AbortSignal,
): Promise<Cart | null> {
  const path =
    cartId === undefined
      ? `/api/sessions/${shopSession(shopper)}/cart`
      : `/api/carts/${encodeURIComponent(cartId)}`
  return nullIfMissing(send(shopper, { method: 'GET', path, signal }, CartAnswer))
}

function shopReads(send: Send): Pick<Commerce, 'variants' | 'cart' | 'quote' | 'order'> {
  return {
    variants({ shopper, productId }, signal) {
      const path = `/api/products/${encodeURIComponent(productId)}`
      return send(shopper, { method: 'GET', path, signal }, ProductAnswer)
    },
    cart: (request, signal) => readCart(send, request, signal),
    quote({ shopper, cartId }, signal) {
      const path = `/api/carts/${encodeURIComponent(cartId)}/quote`
      return send(shopper, { method: 'GET', path, signal }, QuoteAnswer)
    },
    order({ shopper, cartId }, signal) {
      const path = `/api/carts/${encodeURIComponent(cartId)}/order`
      return nullIfMissing(send(shopper, { method: 'GET', path, signal }, OrderAnswer))
    },
  }
}

function cartWrites(
  send: Send,
): Pick<Commerce, 'addLine' | 'updateLine' | 'removeLine' | 'applyCoupon'> {
  async function linePath(shopper: Shopper, lineId: string, signal: AbortSignal): Promise<string> {
    const cart = await readCart(send, { shopper }, signal)
    if (cart === null)
      throw new ToolError('TOOL_RESOURCE_NOT_FOUND', 'The visitor has no cart yet.', {
        effect: 'none',
      })
    return `/api/carts/${encodeURIComponent(cart.cartId)}/lines/${encodeURIComponent(lineId)}`
  }
  return {
    async addLine({ shopper, productId, variantId, quantity, notes, idempotencyKey }, signal) {
      const path = `/api/sessions/${shopSession(shopper)}/lines`
      const body = { productId, variantId, quantity, notes }
      const request = { method: 'POST', path, body, idempotencyKey, signal } as const
      const { lineId, cart } = await send(shopper, request, AddedAnswer)
      return { cartLineId: lineId, cart }
    },
    async updateLine({ shopper, cartLineId, quantity, idempotencyKey }, signal) {
      const path = await linePath(shopper, cartLineId, signal)
      const body = { quantity }
      return send(shopper, { method: 'PATCH', path, body, idempotencyKey, signal }, CartAnswer)
    },
    async removeLine({ shopper, cartLineId, idempotencyKey }, signal) {
      const path = await linePath(shopper, cartLineId, signal)
      return send(shopper, { method: 'DELETE', path, idempotencyKey, signal }, CartAnswer)
    },
    applyCoupon({ shopper, cartId, code, idempotencyKey }, signal) {
      const path = `/api/carts/${encodeURIComponent(cartId)}/coupons`
      const request = { method: 'POST', path, body: { code }, idempotencyKey, signal } as const
      return send(shopper, request, CartAnswer)
    },
  }
}

function orderWrites(send: Send): Pick<Commerce, 'startCheckout' | 'placeOrder'> {
  return {
    async startCheckout({ shopper, cartId, returnUrl, idempotencyKey }, signal) {
      const path = `/api/carts/${encodeURIComponent(cartId)}/checkouts`
      const request = { method: 'POST', path, body: { returnUrl }, idempotencyKey, signal } as const
      const checkout = await send(shopper, request, CheckoutAnswer)
      return { ...checkout, state: checkout.payUrl === undefined ? 'ready' : 'payment_required' }
    },
    placeOrder({ shopper, checkoutToken, expectedTotal, idempotencyKey }, signal) {
      const body = { checkoutToken, expectedTotal }
      const request = { method: 'POST', path: '/api/orders', body, idempotencyKey, signal } as const
      return send(shopper, request, OrderAnswer)
    },
  }
}

/** Null where the shop knows nothing under this address. */
export async function nullIfMissing<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading
  } catch (thrown) {
    if (isToolError(thrown) && thrown.code === 'TOOL_RESOURCE_NOT_FOUND') return null
    throw thrown
  }
}

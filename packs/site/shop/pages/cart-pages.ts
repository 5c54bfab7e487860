import { z } from 'zod'
import { parse } from '../api/read-body.ts'
import { Refusal } from '../refusal.ts'
import {
  addLine,
  applyCoupon,
  type Cart,
  type CartLine,
  createCart,
  readCart,
  removeCoupon,
  removeLine,
  updateLine,
} from '../selling/carts.ts'
import { findCartOrder, type OrderRecord, readOrder } from '../selling/orders.ts'
import { answerOnce } from '../store/answer-once.ts'
import { type Html, html } from '../web/html.ts'
import { type FormFields, readForm } from '../web/read-form.ts'
import { json, seeOther } from '../web/respond.ts'
import type { Visit } from '../web/route.ts'
import { cartCookie } from '../web/visitor.ts'
import { cartCount, formSecrets, renderPage } from './layout.ts'
import { alert, formatMoney } from './parts.ts'
import { totalsList } from './totals-list.ts'

const Quantity = z.coerce.number().int().min(1).max(999)

/** The cart that this browser has open; undefined where there is none, or it was ordered. */
export function openCart({ shop, visitor }: Visit): Cart | undefined {
  if (visitor.cartId === undefined) return undefined
  const row = shop.store.one('select state from carts where cart_id = ?', visitor.cartId)
  return row?.state === 'open' ? readCart(shop, visitor.cartId) : undefined
}

export function cartPage(visit: Visit, problem?: string): Response {
  const cart = openCart(visit)
  const order = findLastOrder(visit)
  if (cart === undefined && order !== undefined) return orderedPage(visit, order)
  const main =
    cart === undefined || cart.lines.length === 0
      ? html`<div class="wrap narrow empty"><h1>Your cart is empty</h1><p class="lead">That is easy to change.</p>${alert(problem)}<p><a class="button" href="/shop" data-action="nav.open">Look around</a></p></div>`
      : html`<div class="wrap"><header class="page-head"><h1>Your cart</h1></header>${alert(problem)}
<div class="columns"><ul class="lines" aria-label="Lines">${cart.lines.map((line) => cartLine(visit, line))}</ul>
<aside class="summary" aria-label="Summary">${totalsList(cart)}
${couponForms(visit, cart)}
<a class="button wide" href="/checkout" data-action="checkout.start">Check out</a></aside></div></div>`
  return renderPage(visit, {
    title: 'Cart',
    description: 'What you have chosen.',
    main,
    isPrivate: true,
    ...(problem !== undefined && { status: 409 }),
  })
}

/** The order that the cart of this browser became, perhaps by an agent. */
function findLastOrder({ shop, visitor }: Visit): OrderRecord | undefined {
  const orderId = visitor.cartId === undefined ? undefined : findCartOrder(shop, visitor.cartId)
  return orderId === undefined ? undefined : readOrder(shop, orderId)
}

function orderedPage(visit: Visit, { number, url, payUrl, totals }: OrderRecord): Response {
  const main = html`<div class="wrap narrow empty"><p class="eyebrow">Order ${number}</p><h1>Your cart has been ordered</h1><p class="lead">${payUrl === undefined ? 'There is nothing left to do.' : html`It waits for your payment of ${formatMoney(totals.total)}.`}</p><p>${payUrl !== undefined && html`<a class="button" href="${payUrl}" data-action="payment.open">Pay now</a> `}<a class="button quiet" href="${url}" data-action="order.open">See the order</a> <a class="button quiet" href="/shop" data-action="nav.open">Look around</a></p></div>`
  return renderPage(visit, { title: 'Cart', description: '', main, isPrivate: true })
}

function cartLine(visit: Visit, line: CartLine): Html {
  const { lineId, productId, name, quantity, unitPrice, total, notes } = line
  return html`<li class="line"><img src="/images/${productId}.svg" alt="" width="600" height="720">
<div><h2><a href="/products/${productId}" data-action="product.open">${name}</a></h2><p class="small">${formatMoney(unitPrice)} each</p>${notes !== undefined && html`<p class="note">“${notes}”</p>`}
<form class="line-form" action="/cart/lines/${lineId}" method="post" data-action="cart.lineForm">${formSecrets(visit)}
<label class="hidden" for="q-${lineId}">Quantity of ${name}</label><input id="q-${lineId}" name="quantity" type="number" min="1" max="999" value="${quantity}" required inputmode="numeric" data-action="cart.quantity">
<button class="quiet" type="submit" data-action="cart.updateQuantity">Update<span class="hidden"> the quantity of ${name}</span></button>
<button class="link" type="submit" formaction="/cart/lines/${lineId}/remove" formnovalidate data-action="cart.removeLine">Remove<span class="hidden"> ${name}</span></button></form></div>
<p class="price">${formatMoney(total)}</p></li>`
}

function couponForms(visit: Visit, { coupons }: Cart): Html {
  const [coupon] = coupons
  if (coupon !== undefined)
    return html`<form class="coupon" action="/cart/coupons/remove" method="post" data-action="cart.couponForm">${formSecrets(visit)}<input type="hidden" name="code" value="${coupon}"><p>Coupon <b>${coupon}</b></p><button class="link" type="submit" data-action="cart.removeCoupon">Remove<span class="hidden"> the coupon</span></button></form>`
  return html`<form class="coupon" action="/cart/coupons" method="post" data-action="cart.couponForm">${formSecrets(visit)}<label for="coupon">Coupon</label><div class="joined"><input id="coupon" name="code" maxlength="64" required autocomplete="off" autocapitalize="characters" data-action="cart.coupon"><button class="quiet" type="submit" data-action="cart.applyCoupon">Apply</button></div></form>`
}

/** Runs a change of the cart once for its form, then shows the cart with what went wrong. */
async function changeCart(
  visit: Visit,
  change: (cartId: string, form: FormFields) => void,
): Promise<Response> {
  const form = await readForm(visit)
  const cart = openCart(visit)
  if (cart === undefined) return seeOther('/cart')
  try {
    answerOnce(visit.shop, { key: form.key, request: visit.url.pathname }, () => {
      change(cart.cartId, form)
      return { status: 303, body: null }
    })
    return seeOther('/cart')
  } catch (thrown) {
    if (thrown instanceof Refusal) return cartPage(visit, thrown.message)
    throw thrown
  }
}

/** Adds a product. A script gets JSON, a browser without script goes to the cart. */
export async function addToCart(visit: Visit): Promise<Response> {
  const { shop, request, visitor } = visit
  const form = await readForm(visit)
  const wantsJson = request.headers.get('accept')?.includes('application/json') === true
  const quantity = parse(Quantity, form.text('quantity') || 1, 'quantity')
  const { body } = answerOnce(shop, { key: form.key, request: visit.url.pathname }, () => {
    const cartId = openCart(visit)?.cartId ?? createCart(shop, undefined)
    addLine(shop, cartId, {
      productId: form.text('productId'),
      variantId: form.text('variantId') || undefined,
      quantity,
      notes: form.text('notes').slice(0, 400),
    })
    return { status: 303, body: { cartId } }
  })
  const { cartId } = body as { readonly cartId: string }
  const cookie: [string, string] = ['set-cookie', cartCookie(shop, cartId)]
  if (!wantsJson) return seeOther('/cart', [cookie])
  const count = cartCount({ ...visit, visitor: { ...visitor, cartId } })
  return json({ count, key: shop.newId('key') }, 200, Object.fromEntries([cookie]))
}

export function changeQuantity(visit: Visit): Promise<Response> {
  return changeCart(visit, (cartId, form) => {
    const quantity = parse(Quantity, form.text('quantity'), 'quantity')
    updateLine(visit.shop, cartId, visit.params.lineId ?? '', quantity)
  })
}

export function dropLine(visit: Visit): Promise<Response> {
  return changeCart(visit, (cartId) => removeLine(visit.shop, cartId, visit.params.lineId ?? ''))
}

export function useCoupon(visit: Visit): Promise<Response> {
  return changeCart(visit, (cartId, form) => applyCoupon(visit.shop, cartId, form.text('code')))
}

export function dropCoupon(visit: Visit): Promise<Response> {
  return changeCart(visit, (cartId, form) => removeCoupon(visit.shop, cartId, form.text('code')))
}

/**
 * Opens a cart that an agent filled in this browser. Where the browser has another cart with
 * something in it, the visitor is asked first.
 */
export function adoptCartPage(visit: Visit): Response {
  const { shop, params } = visit
  const wanted = readCart(shop, params.cartId ?? '')
  const own = openCart(visit)
  if (own === undefined || own.lines.length === 0 || own.cartId === wanted.cartId)
    return seeOther('/cart', [['set-cookie', cartCookie(shop, wanted.cartId)]])
  const main = html`<div class="wrap narrow"><h1>Open another cart?</h1><p class="lead">This browser has a cart for ${formatMoney(own.totals.total)}. The other one is for ${formatMoney(wanted.totals.total)}.</p>
<form action="/cart/open/${wanted.cartId}" method="post" data-action="cart.adoptForm">${formSecrets(visit)}<p class="buttons"><button type="submit" data-action="cart.adopt">Open the other cart</button> <a class="button quiet" href="/cart" data-action="cart.open">Keep this one</a></p></form></div>`
  return renderPage(visit, { title: 'Open a cart', description: '', main, isPrivate: true })
}

export async function adoptCart(visit: Visit): Promise<Response> {
  await readForm(visit)
  const { cartId } = readCart(visit.shop, visit.params.cartId ?? '')
  return seeOther('/cart', [['set-cookie', cartCookie(visit.shop, cartId)]])
}

import { dayOf } from '@surehand/dates'
import { ContactBody, parse } from '../api/read-body.ts'
import { Refusal } from '../refusal.ts'
import { type Cart, chooseFulfilment, fulfilmentOf } from '../selling/carts.ts'
import { type CheckoutRecord, readCheckout, startCheckout } from '../selling/checkouts.ts'
import { type OrderRecord, payOrder, placeOrder, readOrder } from '../selling/orders.ts'
import type { Totals } from '../selling/totals.ts'
import { TIME_ZONE } from '../shop.ts'
import { answerOnce } from '../store/answer-once.ts'
import { type Html, html } from '../web/html.ts'
import { type FormFields, readForm } from '../web/read-form.ts'
import { seeOther } from '../web/respond.ts'
import type { Visit } from '../web/route.ts'
import { openCart } from './cart-pages.ts'
import { contactFields, field } from './field.ts'
import { formSecrets, renderPage } from './layout.ts'
import { alert, formatMoney } from './parts.ts'
import { totalsList } from './totals-list.ts'

type Problem = { readonly message: string; readonly form: FormFields }

export function checkoutPage(visit: Visit, problem?: Problem): Response {
  const cart = openCart(visit)
  if (cart === undefined || cart.lines.length === 0) return seeOther('/cart')
  const value = (name: string) => problem?.form.text(name)
  const fulfilment = value('fulfilment') ?? fulfilmentOf(visit.shop, cart.cartId)
  const choice = (name: string, title: string, text: string) =>
    html`<label class="choice"><input type="radio" name="fulfilment" value="${name}" data-action="checkout.fulfilment"${fulfilment === name && html` checked`}><span><b>${title}</b><span>${text}</span></span></label>`
  const main = html`<div class="wrap"><header class="page-head"><p class="eyebrow">Step 1 of 2</p><h1>Check out</h1></header>${alert(problem?.message)}
<div class="columns"><form class="stack" action="/checkout" method="post" data-action="checkout.form">${formSecrets(visit)}
<fieldset><legend>How it reaches you</legend><div class="choices two">${choice('collect', 'Collect at the shop', 'Free, from 15 o’clock')}${choice('delivery', 'Delivery by bike', '€6.90, free from €60')}</div></fieldset>
<fieldset><legend>Who you are</legend>${contactFields({ name: value('name'), email: value('email'), phone: value('phone') })}
${field({ name: 'address', label: 'Address', action: 'checkout.address', autocomplete: 'street-address', value: value('address'), optional: true, maxlength: 300, hint: 'For a delivery.' })}</fieldset>
<p class="buttons"><button type="submit" data-action="checkout.submit">Continue to the payment</button> <a href="/cart" data-action="cart.open">Back to the cart</a></p></form>
<aside class="summary" aria-label="Summary">${miniLines(cart.lines)}${totalsList(cart)}</aside></div></div>`
  return renderPage(visit, {
    title: 'Check out',
    description: 'Name, address, payment.',
    main,
    isPrivate: true,
    ...(problem !== undefined && { status: 409 }),
  })
}

function miniLines(lines: Cart['lines']): Html {
  return html`<ul class="mini">${lines.map(({ name, quantity, total }) => html`<li><span>${quantity} × ${name}</span><span>${formatMoney(total)}</span></li>`)}</ul>`
}

export async function submitCheckout(visit: Visit): Promise<Response> {
  const { shop } = visit
  const form = await readForm(visit)
  const cart = openCart(visit)
  if (cart === undefined) return seeOther('/cart')
  try {
    const contact = readContact(form)
    const fulfilment = form.text('fulfilment') === 'delivery' ? 'delivery' : 'collect'
    if (fulfilment === 'delivery' && form.text('address') === '')
      throw new Refusal('invalid_request', 'A delivery needs an address. Fill it in.')
    const { body } = answerOnce(shop, { key: form.key, request: '/checkout' }, () => {
      chooseFulfilment(shop, cart.cartId, fulfilment)
      const returnUrl = `${shop.origin}/orders`
      const token = startCheckout(shop, {
        cartId: cart.cartId,
        returnUrl,
        contact,
        address: form.text('address').slice(0, 300) || undefined,
      })
      return { status: 303, body: `/pay/${token}` }
    })
    return seeOther(String(body))
  } catch (thrown) {
    if (thrown instanceof Refusal) return checkoutPage(visit, { message: thrown.message, form })
    throw thrown
  }
}

function readContact(form: FormFields) {
  return parse(
    ContactBody,
    {
      name: form.text('name'),
      email: form.text('email') || undefined,
      phone: form.text('phone').replace(/[\s/-]/g, '') || undefined,
    },
    'contact',
  )
}

/** The test payment: here the visitor enters a card, never an agent. */
export function payPage(visit: Visit, problem?: Problem): Response {
  const { shop, params } = visit
  const checkout = readCheckout(shop, params.token ?? '')
  const order = checkout.orderId === undefined ? undefined : readOrder(shop, checkout.orderId)
  if (order !== undefined && order.state !== 'payment_pending') return seeOther(order.url)
  if (checkout.state === 'expired') return expiredPage(visit)
  const totals = order?.totals ?? checkout.totals
  const main = html`<div class="wrap"><header class="page-head"><p class="eyebrow">${order === undefined ? 'Step 2 of 2' : `Order ${order.number}`}</p><h1>Payment</h1></header>
<p class="test" role="note"><b>Test payment.</b> No money is taken. Never enter a real card: only <code>4242 4242 4242 4242</code> (pays) and <code>4000 0000 0000 0002</code> (is declined) are accepted.</p>${alert(problem?.message)}
<div class="columns">${payForm(visit, { totals, order, checkout, problem })}
<aside class="summary" aria-label="Summary">${totalsList({ totals })}<p class="small">You are paying Thorn &amp; Thimble. Afterwards you return to ${new URL(checkout.returnUrl).host}.</p></aside></div></div>`
  return renderPage(visit, {
    title: 'Payment',
    description: 'A test payment page.',
    main,
    isPrivate: true,
    ...(problem !== undefined && { status: 402 }),
  })
}

function payForm(
  visit: Visit,
  given: {
    readonly totals: Totals
    readonly order: OrderRecord | undefined
    readonly checkout: CheckoutRecord
    readonly problem: Problem | undefined
  },
): Html {
  const { totals, order, checkout, problem } = given
  const card = (name: string, label: string, autocomplete: string, pattern: string, hint: string) =>
    field({
      name,
      label,
      action: `payment.${name}`,
      autocomplete,
      pattern,
      hint,
      inputmode: 'numeric',
      maxlength: 23,
    })
  const needsContact = order === undefined && checkout.contact === undefined
  const collectForm = html`<form class="stack other" action="/pay/${checkout.checkoutToken}/at-shop" method="post" data-action="payment.atShopForm">${formSecrets(visit)}<input type="hidden" name="total" value="${totals.total.amount}"><p>Or pay in cash or by card when you collect it.</p><button class="quiet" type="submit" data-action="payment.atShop">Order, and pay at the shop</button></form>`
  return html`<div><form class="stack" action="/pay/${checkout.checkoutToken}" method="post" autocomplete="on" data-action="payment.form">${formSecrets(visit)}<input type="hidden" name="total" value="${totals.total.amount}">
${needsContact && html`<fieldset><legend>Who you are</legend>${contactFields({ name: problem?.form.text('name'), email: problem?.form.text('email'), phone: problem?.form.text('phone') })}</fieldset>`}
<fieldset><legend>Test card</legend>${card('cardNumber', 'Card number', 'cc-number', '[0-9 ]{12,23}', 'One of the two test cards above.')}
<div class="pair">${card('cardExpiry', 'Expiry', 'cc-exp', '(0[1-9]|1[0-2]) ?/ ?[0-9]{2}', 'MM/YY, in the future')}${card('cardCode', 'Security code', 'cc-csc', '[0-9]{3,4}', 'Any three digits')}</div></fieldset>
<button class="wide" type="submit" data-action="payment.pay">${order === undefined ? `Pay ${formatMoney(totals.total)} and order` : `Pay ${formatMoney(totals.total)}`}</button></form>
${order === undefined && !needsContact && collectForm}</div>`
}

function expiredPage(visit: Visit): Response {
  const main = html`<div class="wrap narrow"><h1>This checkout has expired</h1><p class="lead">The cart was changed, or an hour has passed. Nothing was ordered.</p><p><a class="button" href="/cart" data-action="cart.open">To the cart</a></p></div>`
  return renderPage(visit, {
    title: 'Expired',
    description: '',
    main,
    isPrivate: true,
    status: 409,
  })
}

/** Pays an order that was placed, or places it with the payment. */
export async function submitPayment(visit: Visit): Promise<Response> {
  const { shop, params } = visit
  const token = params.token ?? ''
  const form = await readForm(visit)
  try {
    const cardEnding = readTestCard(form, shop.now())
    const checkout = readCheckout(shop, token)
    const contact =
      checkout.contact ?? (checkout.orderId === undefined ? readContact(form) : undefined)
    const { body } = answerOnce(shop, { key: form.key, request: `/pay/${token}` }, () => {
      const { orderId } = placeOrder(shop, {
        checkoutToken: token,
        expectedTotal: { amount: Number(form.text('total')), currency: 'EUR' },
        payment: { method: 'shop_page' },
        contact,
      })
      payOrder(shop, orderId, cardEnding)
      return { status: 303, body: orderId }
    })
    return seeOther(returnAddress(checkout.returnUrl, String(body)))
  } catch (thrown) {
    if (thrown instanceof Refusal) return payPage(visit, { message: thrown.message, form })
    throw thrown
  }
}

export async function orderAndPayAtShop(visit: Visit): Promise<Response> {
  const { shop, params } = visit
  const token = params.token ?? ''
  const form = await readForm(visit)
  const { body } = answerOnce(shop, { key: form.key, request: `/pay/${token}/at-shop` }, () => {
    const { orderId } = placeOrder(shop, {
      checkoutToken: token,
      expectedTotal: { amount: Number(form.text('total')), currency: 'EUR' },
      payment: { method: 'at_shop' },
    })
    return { status: 303, body: orderId }
  })
  return seeOther(returnAddress(readCheckout(shop, token).returnUrl, String(body)))
}

function returnAddress(returnUrl: string, orderId: string): string {
  const url = new URL(returnUrl)
  url.searchParams.set('order', orderId)
  return url.href
}

const PAYS = '4242424242424242'
const DECLINED = '4000000000000002'

/** Checks a test card and returns its last four digits; the rest is stored nowhere. */
function readTestCard(form: FormFields, now: number): string {
  const number = form.text('cardNumber').replaceAll(' ', '')
  const [month = '', year = ''] = form.text('cardExpiry').replaceAll(' ', '').split('/')
  if (number !== PAYS && number !== DECLINED)
    throw new Refusal(
      'payment_declined',
      'Only the two test cards are accepted. Never enter a real card.',
    )
  if (
    !/^\d\d$/.test(month) ||
    !/^\d\d$/.test(year) ||
    `20${year}-${month}` < dayOf(now, TIME_ZONE).slice(0, 7)
  )
    throw new Refusal(
      'payment_declined',
      'The expiry date is not in the future. Write it as MM/YY.',
    )
  if (number === DECLINED)
    throw new Refusal(
      'payment_declined',
      'The test card was declined. Nothing was paid. Use the other test card.',
    )
  return number.slice(-4)
}

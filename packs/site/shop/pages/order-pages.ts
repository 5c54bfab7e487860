import { readOrder } from '../selling/orders.ts'
import { html } from '../web/html.ts'
import { seeOther } from '../web/respond.ts'
import type { Visit } from '../web/route.ts'
import { renderPage } from './layout.ts'
import { formatDay, formatMoney, formatTime } from './parts.ts'
import { totalsList } from './totals-list.ts'

const STATES = {
  placed: 'Placed. You pay at the shop.',
  payment_pending: 'Placed. It waits for your payment.',
  paid: 'Paid with a test card.',
  cancelled: 'Cancelled.',
} as const

/** The page to which a payment returns when the visitor bought without an agent. */
export function returnedPage(visit: Visit): Response {
  const orderId = visit.url.searchParams.get('order')
  return seeOther(orderId === null ? '/' : `/orders/${encodeURIComponent(orderId)}`)
}

export function orderPage(visit: Visit): Response {
  const order = readOrder(visit.shop, visit.params.orderId ?? '')
  const placedAt = Date.parse(order.placedAt)
  const main = html`<div class="wrap"><header class="page-head"><p class="eyebrow">Order ${order.number}</p><h1>${order.state === 'cancelled' ? 'This order was cancelled' : 'Thank you'}</h1>
<p class="lead" data-order-state="${order.state}">${STATES[order.state]}</p></header>
<div class="columns"><div><ul class="mini large">${order.lines.map(({ name, quantity, total, notes }) => html`<li><span>${quantity} × ${name}${notes !== undefined && html`<br><span class="note">“${notes}”</span>`}</span><span>${formatMoney(total)}</span></li>`)}</ul>
<p>${order.fulfilment === 'collect' ? 'Collect it at the shop, Lindengasse 7, with this number.' : html`We deliver it on the next working day to: ${order.address ?? 'the address you give us'}.`}</p>
${order.payUrl !== undefined && html`<p><a class="button" href="${order.payUrl}" data-action="payment.open">Pay now</a></p>`}
<p><a href="/shop" data-action="nav.open">Look around again</a></p></div>
<aside class="summary" aria-label="Summary">${totalsList(order)}<p class="small">Placed on <time datetime="${order.placedAt}">${formatDay(placedAt)}, ${formatTime(placedAt)}</time>${order.contact !== undefined && html` by ${order.contact.name}`}${order.cardEnding !== undefined && html`, test card ending in ${order.cardEnding}`}.</p></aside></div></div>`
  return renderPage(visit, {
    title: `Order ${order.number}`,
    description: 'Your order.',
    main,
    isPrivate: true,
  })
}

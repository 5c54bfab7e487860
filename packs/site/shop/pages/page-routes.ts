import { findProduct } from '../catalog/catalog.ts'
import { summarizeProduct } from '../catalog/describe.ts'
import { search } from '../content/search.ts'
import { readOrder } from '../selling/orders.ts'
import { html } from '../web/html.ts'
import { seeOther } from '../web/respond.ts'
import type { Route, Visit } from '../web/route.ts'
import {
  appointmentsPage,
  bookingPage,
  holdPage,
  slotsPage,
  submitBooking,
  submitCancellation,
  submitHold,
} from './appointment-pages.ts'
import {
  addToCart,
  adoptCart,
  adoptCartPage,
  cartPage,
  changeQuantity,
  dropCoupon,
  dropLine,
  useCoupon,
} from './cart-pages.ts'
import { homePage, productPage, shopPage } from './catalog-pages.ts'
import {
  checkoutPage,
  orderAndPayAtShop,
  payPage,
  submitCheckout,
  submitPayment,
} from './checkout-pages.ts'
import {
  contactPage,
  contactPreviewPage,
  submitMessage,
  subscribe,
  subscribedPage,
} from './contact-pages.ts'
import { renderPage } from './layout.ts'
import { formatDay, formatMoney, formatTime, productGrid } from './parts.ts'
import { articlePage, helpPage, journalPage } from './text-pages.ts'
import { totalsList } from './totals-list.ts'

type Handle = Route['handle']
const get = (path: string, handle: Handle): Route => ({ method: 'GET', path, handle })
const post = (path: string, handle: Handle): Route => ({ method: 'POST', path, handle })

const STATES = {
  placed: 'Placed. You pay at the shop.',
  payment_pending: 'Placed. It waits for your payment.',
  paid: 'Paid with a test card.',
  cancelled: 'Cancelled.',
} as const

/** The page to which a payment returns when the visitor bought without an agent. */
function returnedPage(visit: Visit): Response {
  const orderId = visit.url.searchParams.get('order')
  return seeOther(orderId === null ? '/' : `/orders/${encodeURIComponent(orderId)}`)
}

function orderPage(visit: Visit): Response {
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

export const PAGE_ROUTES: readonly Route[] = [
  get('/', homePage),
  get('/shop', shopPage),
  get('/shop/:slug', shopPage),
  get('/products/:id', productPage),
  get('/search', searchPage),
  get('/cart', (visit) => cartPage(visit)),
  post('/cart/lines', addToCart),
  post('/cart/lines/:lineId', changeQuantity),
  post('/cart/lines/:lineId/remove', dropLine),
  post('/cart/coupons', useCoupon),
  post('/cart/coupons/remove', dropCoupon),
  get('/cart/open/:cartId', adoptCartPage),
  post('/cart/open/:cartId', adoptCart),
  get('/checkout', (visit) => checkoutPage(visit)),
  post('/checkout', submitCheckout),
  get('/pay/:token', (visit) => payPage(visit)),
  post('/pay/:token', submitPayment),
  post('/pay/:token/at-shop', orderAndPayAtShop),
  get('/orders', returnedPage),
  get('/orders/:orderId', orderPage),
  get('/appointments', appointmentsPage),
  get('/appointments/:resourceId', (visit) => slotsPage(visit)),
  post('/appointments/holds', submitHold),
  get('/appointments/holds/:holdId', (visit) => holdPage(visit)),
  post('/appointments/holds/:holdId', submitBooking),
  get('/bookings/:bookingId', (visit) => bookingPage(visit)),
  post('/bookings/:bookingId/cancellation', submitCancellation),
  get('/journal', journalPage),
  get('/journal/:slug', (visit) => articlePage(visit, 'journal')),
  get('/help', helpPage),
  get('/help/:slug', (visit) => articlePage(visit, 'help')),
  get('/contact', (visit) => contactPage(visit)),
  get('/contact/preview', contactPreviewPage),
  post('/contact', submitMessage),
  post('/newsletter', subscribe),
  get('/newsletter', subscribedPage),
]

function searchPage(visit: Visit): Response {
  const { shop, url } = visit
  const query = (url.searchParams.get('q') ?? '').slice(0, 1000)
  const hits = query.trim() === '' ? [] : search(shop, query)
  const products = hits.flatMap(({ productId }) => {
    const product = productId === undefined ? undefined : findProduct(productId)
    return product === undefined ? [] : [summarizeProduct(shop, product)]
  })
  const pages = hits.filter(({ kind }) => kind !== 'catalog')
  const count = hits.length === 1 ? '1 result' : `${hits.length} results`
  const main = html`<div class="wrap"><header class="page-head"><h1>${query.trim() === '' ? 'Search' : html`“${query}”`}</h1><p class="lead" role="status">${count}</p></header>
${hits.length === 0 && html`<p>Try a colour, a flower, or a price: <a href="/search?q=red+roses+under+40" data-action="search.example">red roses under 40</a>.</p>`}
${products.length > 0 && productGrid(products)}
${pages.length > 0 && html`<section aria-labelledby="pages"><h2 id="pages">To read</h2><ul class="results">${pages.map(({ title, snippet, url: to }) => html`<li><a href="${new URL(to).pathname}" data-action="article.open">${title}</a><p>${snippet}</p></li>`)}</ul></section>`}</div>`
  return renderPage(visit, {
    title: query === '' ? 'Search' : `Search: ${query.slice(0, 60)}`,
    description: 'Search the shop.',
    main,
    isPrivate: true,
  })
}

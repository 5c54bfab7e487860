import { instantText } from '@surehand/dates'
import { notFound, Refusal } from '../refusal.ts'
import { type Money, type Shop, TIME_ZONE } from '../shop.ts'
import type { Row } from '../store/open-store.ts'
import { type CartLine, fulfilmentOf, readCart } from './carts.ts'
import { type CheckoutRecord, type Contact, readCheckout } from './checkouts.ts'
import { returnStock, takeStock } from './stock.ts'
import type { Fulfilment, Totals } from './totals.ts'

export type Order = {
  readonly orderId: string
  readonly number: string
  readonly cartId: string
  readonly state: 'placed' | 'payment_pending' | 'paid' | 'cancelled'
  readonly lines: readonly CartLine[]
  readonly totals: Totals
  readonly placedAt: string
  readonly url: string
  readonly payUrl?: string
}

/** An order with what its page shows besides. */
export type OrderRecord = Order & {
  readonly contact: Contact | undefined
  readonly address: string | undefined
  readonly fulfilment: Fulfilment
  readonly cardEnding: string | undefined
}

export type Payment = {
  readonly method: 'shop_page' | 'at_shop' | 'token'
  readonly token?: string | undefined
}

export type NewOrder = {
  readonly checkoutToken: string
  readonly expectedTotal: Money
  readonly payment: Payment
  readonly contact?: Contact | undefined
}

const UNPAID_MS = 24 * 60 * 60 * 1000
const FIRST_NUMBER = 2601
/** The only tokens there are: the shop takes no real payment. */
const GOOD_TOKEN = 'tok_test_ok'

export function findCartOrder({ store }: Shop, cartId: string): string | undefined {
  const row = store.one('select order_id from orders where cart_id = ?', cartId)
  return row === undefined ? undefined : String(row.order_id)
}

/**
 * Places the order of a checkout; within a transaction. A checkout that has become an order is
 * answered with that order, whatever the key: the visitor may have paid in another tab meanwhile.
 */
export function placeOrder(
  shop: Shop,
  order: NewOrder,
): { readonly orderId: string; readonly isNew: boolean } {
  const checkout = readCheckout(shop, order.checkoutToken)
  if (checkout.orderId !== undefined) return { orderId: checkout.orderId, isNew: false }
  requireCurrent(checkout, order.expectedTotal)
  cancelUnpaid(shop)
  const { cartId, totals } = checkout
  const { lines } = readCart(shop, cartId)
  for (const line of lines) takeStock(shop, line)
  requirePayment(order.payment)
  const orderId = shop.newId('order')
  const highest = shop.store.one('select max(number) as n from orders')
  const contact = order.contact ?? checkout.contact
  shop.store.run(
    `insert into orders (order_id, number, cart_id, checkout_token, state, lines, totals, contact,
       address, fulfilment, card_ending, placed_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    orderId,
    Number(highest?.n ?? FIRST_NUMBER - 1) + 1,
    cartId,
    order.checkoutToken,
    { shop_page: 'payment_pending', at_shop: 'placed', token: 'paid' }[order.payment.method],
    JSON.stringify(lines),
    JSON.stringify(totals),
    contact === undefined ? null : JSON.stringify(contact),
    checkout.address ?? null,
    fulfilmentOf(shop, cartId),
    null,
    shop.now(),
  )
  shop.store.run("update carts set state = 'ordered' where cart_id = ?", cartId)
  return { orderId, isNew: true }
}

function requireCurrent({ state, totals }: CheckoutRecord, expected: Money): void {
  if (state === 'expired')
    throw new Refusal(
      'checkout_expired',
      'The cart was changed or an hour has passed. Start the checkout again.',
    )
  if (totals.total.amount !== expected.amount || totals.total.currency !== expected.currency)
    throw new Refusal(
      'total_changed',
      'The total is not the expected one. Read the quote, and ask the visitor again.',
    )
}

export function requirePayment({ method, token }: Payment): void {
  if (method === 'token' && token !== GOOD_TOKEN)
    throw new Refusal('payment_declined', 'The payment was declined. Pay in another way.')
}

/** Pays an order that waits for its payment; within a transaction. Paying twice charges once. */
export function payOrder(shop: Shop, orderId: string, cardEnding: string): void {
  const { state } = readOrder(shop, orderId)
  if (state === 'cancelled')
    throw new Refusal('checkout_expired', 'This order was cancelled. Fill a new cart.')
  shop.store.run(
    "update orders set state = 'paid', card_ending = ? where order_id = ? and state <> 'paid'",
    cardEnding,
    orderId,
  )
}

/** Cancels an order that is not paid and puts its pieces back; within a transaction. */
export function cancelOrder(shop: Shop, orderId: string): void {
  const { state, lines } = readOrder(shop, orderId)
  if (state === 'cancelled') return
  if (state === 'paid')
    throw new Refusal('already_paid', 'The order is paid. Write to the shop for a refund.')
  shop.store.run("update orders set state = 'cancelled' where order_id = ?", orderId)
  for (const { variantId, quantity } of lines) returnStock(shop, variantId, quantity)
}

// Unpaid orders reserve stock. Those that are a day old are cancelled before the next one is placed.
function cancelUnpaid(shop: Shop): void {
  const overdue = shop.store.all(
    "select order_id from orders where state = 'payment_pending' and placed_at < ?",
    shop.now() - UNPAID_MS,
  )
  for (const { order_id } of overdue) cancelOrder(shop, String(order_id))
}

export function readOrder(shop: Shop, orderId: string): OrderRecord {
  const row = shop.store.one('select * from orders where order_id = ?', orderId)
  if (row === undefined) throw notFound('This order')
  return toOrder(shop, row)
}

export function listOrders(
  shop: Shop,
  { limit, before }: { readonly limit: number; readonly before: number },
): readonly OrderRecord[] {
  return shop.store
    .all('select * from orders where number < ? order by number desc limit ?', before, limit)
    .map((row) => toOrder(shop, row))
}

function toOrder(shop: Shop, row: Row): OrderRecord {
  const state = row.state as Order['state']
  return {
    orderId: String(row.order_id),
    number: `TT-${row.number}`,
    cartId: String(row.cart_id),
    state,
    lines: JSON.parse(String(row.lines)) as CartLine[],
    totals: JSON.parse(String(row.totals)) as Totals,
    placedAt: instantText(Number(row.placed_at), TIME_ZONE),
    url: `${shop.origin}/orders/${row.order_id}`,
    ...(state === 'payment_pending' && { payUrl: `${shop.origin}/pay/${row.checkout_token}` }),
    contact: row.contact === null ? undefined : (JSON.parse(String(row.contact)) as Contact),
    address: row.address === null ? undefined : String(row.address),
    fulfilment: row.fulfilment as Fulfilment,
    cardEnding: row.card_ending === null ? undefined : String(row.card_ending),
  }
}

/** As the API returns it. */
export function toPublicOrder({
  contact: _contact,
  address: _address,
  fulfilment: _fulfilment,
  cardEnding: _cardEnding,
  ...order
}: OrderRecord): Order {
  return order
}

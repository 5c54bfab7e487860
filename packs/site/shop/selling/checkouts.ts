import { notFound, Refusal } from '../refusal.ts'
import type { Shop } from '../shop.ts'
import type { Row } from '../store/open-store.ts'
import { type Cart, type CartLine, fulfilmentOf, readCart, requireOpen } from './carts.ts'
import { outOfStock, readStock } from './stock.ts'
import type { Totals } from './totals.ts'

export type Contact = {
  readonly name: string
  readonly email?: string | undefined
  readonly phone?: string | undefined
}

export type Checkout = {
  readonly checkoutToken: string
  readonly cartId: string
  readonly state: 'open' | 'ordered' | 'expired'
  readonly totals: Totals
  readonly payUrl: string
  readonly expiresAt: string
  readonly orderId?: string
}

export type Quote = {
  readonly cartId: string
  readonly revision: number
  readonly lines: readonly CartLine[]
  readonly totals: Totals
  readonly terms: readonly string[]
}

/** A checkout with what its pages need besides. */
export type CheckoutRecord = Checkout & {
  readonly returnUrl: string
  readonly contact: Contact | undefined
  readonly address: string | undefined
}

const VALID_MS = 60 * 60 * 1000

export function quoteCart(shop: Shop, cartId: string): Quote {
  const cart = readCart(shop, cartId)
  requireLines(cart)
  const { revision, lines, totals } = cart
  const delivery =
    fulfilmentOf(shop, cartId) === 'collect'
      ? 'You collect the goods at the shop, Tuesday to Saturday from 10 to 18 o’clock.'
      : 'We deliver within the city on the next working day.'
  return {
    cartId,
    revision,
    lines,
    totals,
    terms: [
      delivery,
      'Cut flowers cannot be returned; everything else within 14 days, unworn and unaltered.',
      'An order that is not paid is cancelled after 24 hours.',
    ],
  }
}

function requireLines({ lines }: Cart): void {
  if (lines.length === 0) throw new Refusal('cart_empty', 'The cart is empty. Add something first.')
}

/** Starts a checkout of the cart as it is now; within a transaction. */
export function startCheckout(
  shop: Shop,
  {
    cartId,
    returnUrl,
    contact,
    address,
  }: {
    readonly cartId: string
    readonly returnUrl: string
    readonly contact?: Contact | undefined
    readonly address?: string | undefined
  },
): string {
  requireOpen(shop, cartId)
  requireReturnUrl(shop, returnUrl)
  const cart = readCart(shop, cartId)
  requireLines(cart)
  for (const { variantId, quantity, name } of cart.lines) {
    const available = readStock(shop, variantId)
    if (available < quantity) throw outOfStock(name, available)
  }
  const token = shop.newId('checkout')
  shop.store.run(
    `insert into checkouts (token, cart_id, revision, return_url, contact, address, expires_at)
     values (?, ?, ?, ?, ?, ?, ?)`,
    token,
    cartId,
    cart.revision,
    returnUrl,
    contact === undefined ? null : JSON.stringify(contact),
    address ?? null,
    shop.now() + VALID_MS,
  )
  return token
}

// Otherwise a link to the shop could lead a visitor who has just paid to any other site.
function requireReturnUrl({ origin, settings }: Shop, returnUrl: string): void {
  const url = URL.parse(returnUrl)
  if (url === null || ![origin, ...settings.returnOrigins].includes(url.origin))
    throw new Refusal(
      'return_url_refused',
      `Visitors may return to ${[origin, ...settings.returnOrigins].join(', ')}. Send such an address.`,
    )
}

export function readCheckout(shop: Shop, token: string): CheckoutRecord {
  const row = shop.store.one(
    `select checkouts.*, carts.state as cart_state, carts.revision as cart_revision, orders.order_id
     from checkouts join carts on carts.cart_id = checkouts.cart_id
     left join orders on orders.checkout_token = checkouts.token where token = ?`,
    token,
  )
  if (row === undefined) throw notFound('This checkout')
  return {
    checkoutToken: token,
    cartId: String(row.cart_id),
    state: stateOf(row, shop.now()),
    totals: readCart(shop, String(row.cart_id)).totals,
    payUrl: `${shop.origin}/pay/${token}`,
    expiresAt: new Date(Number(row.expires_at)).toISOString(),
    ...(row.order_id !== null && { orderId: String(row.order_id) }),
    returnUrl: String(row.return_url),
    contact: row.contact === null ? undefined : (JSON.parse(String(row.contact)) as Contact),
    address: row.address === null ? undefined : String(row.address),
  }
}

function stateOf(row: Row, now: number): Checkout['state'] {
  if (row.order_id !== null) return 'ordered'
  const isCurrent = row.cart_state === 'open' && row.cart_revision === row.revision
  return isCurrent && Number(row.expires_at) > now ? 'open' : 'expired'
}

/** As the API returns it. */
export function toPublicCheckout({
  returnUrl: _returnUrl,
  contact: _contact,
  address: _address,
  ...checkout
}: CheckoutRecord): Checkout {
  return checkout
}

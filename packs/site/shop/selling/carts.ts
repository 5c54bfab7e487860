import { findProduct, findVariant } from '../catalog/catalog.ts'
import type { Product, Variant } from '../catalog/product.ts'
import { notFound, Refusal } from '../refusal.ts'
import { type Money, money, type Shop } from '../shop.ts'
import type { Row } from '../store/open-store.ts'
import { acceptCoupon } from './coupons.ts'
import { outOfStock, readStock } from './stock.ts'
import { type Fulfilment, type Totals, totalsOf } from './totals.ts'

export type CartLine = {
  readonly lineId: string
  readonly productId: string
  readonly variantId: string
  readonly name: string
  readonly url: string
  readonly quantity: number
  readonly unitPrice: Money
  readonly total: Money
  readonly notes?: string
}

export type Cart = {
  readonly cartId: string
  readonly revision: number
  readonly state: 'open' | 'ordered'
  readonly lines: readonly CartLine[]
  readonly coupons: readonly string[]
  readonly totals: Totals
  readonly url: string
}

export type NewLine = {
  readonly productId: string
  readonly variantId?: string | undefined
  readonly quantity: number
  readonly notes?: string | undefined
}

const MAX_LINES = 50
const MAX_QUANTITY = 999

export function createCart(shop: Shop, session: string | undefined): string {
  const cartId = shop.newId('cart')
  shop.store.run(
    `insert into carts (cart_id, session, state, revision, coupon, fulfilment, created_at)
     values (?, ?, 'open', 0, null, 'collect', ?)`,
    cartId,
    session ?? null,
    shop.now(),
  )
  return cartId
}

/** The open cart of a session; otherwise its last one, undefined where it never had one. */
export function findSessionCart({ store }: Shop, session: string): string | undefined {
  const row = store.one(
    `select cart_id from carts where session = ?
     order by case state when 'open' then 0 else 1 end, created_at desc, cart_id limit 1`,
    session,
  )
  return row === undefined ? undefined : String(row.cart_id)
}

/** The open cart of a session, created where there is none; within a transaction. */
export function openSessionCart(shop: Shop, session: string): string {
  const row = shop.store.one(
    "select cart_id from carts where session = ? and state = 'open'",
    session,
  )
  return row === undefined ? createCart(shop, session) : String(row.cart_id)
}

export function readCart(shop: Shop, cartId: string): Cart {
  return toCart(shop, cartRow(shop, cartId))
}

export function fulfilmentOf(shop: Shop, cartId: string): Fulfilment {
  return cartRow(shop, cartId).fulfilment as Fulfilment
}

function cartRow({ store }: Shop, cartId: string): Row {
  const row = store.one('select * from carts where cart_id = ?', cartId)
  if (row === undefined) throw notFound('This cart')
  return row
}

function toCart(shop: Shop, row: Row): Cart {
  const cartId = String(row.cart_id)
  const lines = shop.store
    .all('select * from cart_lines where cart_id = ? order by created_at, line_id', cartId)
    .flatMap((line) => toLine(shop, line))
  const coupon = row.coupon === null ? undefined : String(row.coupon)
  return {
    cartId,
    revision: Number(row.revision),
    state: row.state as Cart['state'],
    lines,
    coupons: coupon === undefined ? [] : [coupon],
    totals: totalsOf({
      subtotal: lines.reduce((sum, line) => sum + line.total.amount, 0),
      coupon,
      fulfilment: row.fulfilment as Fulfilment,
    }),
    url: `${shop.origin}/cart/open/${cartId}`,
  }
}

// A variant that left the catalogue leaves the carts, too.
function toLine(shop: Shop, row: Row): readonly CartLine[] {
  const found = findVariant(String(row.variant_id))
  if (found === undefined) return []
  const { product, variant } = found
  const quantity = Number(row.quantity)
  return [
    {
      lineId: String(row.line_id),
      productId: product.id,
      variantId: variant.id,
      name: `${product.name}, ${variant.name}`,
      url: `${shop.origin}/products/${product.id}`,
      quantity,
      unitPrice: money(variant.price),
      total: money(variant.price * quantity),
      ...(row.notes !== '' && { notes: String(row.notes) }),
    },
  ]
}

/** Checks that a cart may be changed, and that it is the one the client has seen. */
export function requireOpen(shop: Shop, cartId: string, ifMatch?: string): void {
  const row = cartRow(shop, cartId)
  if (row.state === 'ordered')
    throw new Refusal('cart_ordered', 'This cart has been ordered. Start a new cart.')
  if (ifMatch !== undefined && ifMatch !== `"${row.revision}"`)
    throw new Refusal('cart_changed', 'The cart has changed. Read it again, then decide again.')
}

function countChange({ store }: Shop, cartId: string): void {
  store.run('update carts set revision = revision + 1 where cart_id = ?', cartId)
}

/** Adds to a cart. Returns the line; the same variant with the same notes is one line. */
export function addLine(shop: Shop, cartId: string, line: NewLine): string {
  requireOpen(shop, cartId)
  const { product, variant } = chooseVariant(shop, line)
  const notes = line.notes?.trim() ?? ''
  const { store } = shop
  const known = store.one(
    'select line_id, quantity from cart_lines where cart_id = ? and variant_id = ? and notes = ?',
    cartId,
    variant.id,
    notes,
  )
  const quantity = Number(known?.quantity ?? 0) + line.quantity
  requireStock(shop, { product, variant, quantity })
  countChange(shop, cartId)
  if (known !== undefined) {
    store.run(
      'update cart_lines set quantity = ? where line_id = ?',
      quantity,
      String(known.line_id),
    )
    return String(known.line_id)
  }
  const count = store.one('select count(*) as n from cart_lines where cart_id = ?', cartId)
  if (Number(count?.n) >= MAX_LINES)
    throw new Refusal('invalid_request', `A cart has at most ${MAX_LINES} lines. Order in two.`)
  const lineId = shop.newId('line')
  store.run(
    `insert into cart_lines (line_id, cart_id, variant_id, quantity, notes, created_at)
     values (?, ?, ?, ?, ?, ?)`,
    lineId,
    cartId,
    variant.id,
    quantity,
    notes,
    shop.now(),
  )
  return lineId
}

function chooseVariant(shop: Shop, { productId, variantId, quantity }: NewLine) {
  const product = findProduct(productId)
  if (product === undefined) throw notFound('This product')
  if (variantId !== undefined) {
    const variant = product.variants.find(({ id }) => id === variantId)
    if (variant === undefined) throw notFound(`This variant of ${product.name}`)
    return { product, variant }
  }
  const [first, ...others] = product.variants.toSorted((one, other) => one.price - other.price)
  if (first === undefined) throw notFound('A variant of this product')
  const inStock = [first, ...others].find(({ id }) => readStock(shop, id) >= quantity)
  return { product, variant: inStock ?? first }
}

function requireStock(
  shop: Shop,
  wanted: { readonly product: Product; readonly variant: Variant; readonly quantity: number },
): void {
  const { product, variant, quantity } = wanted
  const available = readStock(shop, variant.id)
  if (quantity > Math.min(available, MAX_QUANTITY))
    throw outOfStock(`${product.name}, ${variant.name}`, available)
}

function requireLine(shop: Shop, cartId: string, lineId: string): string {
  const row = shop.store.one(
    'select variant_id from cart_lines where line_id = ? and cart_id = ?',
    lineId,
    cartId,
  )
  if (row === undefined) throw notFound('This line of the cart')
  return String(row.variant_id)
}

export function updateLine(shop: Shop, cartId: string, lineId: string, quantity: number): void {
  requireOpen(shop, cartId)
  const found = findVariant(requireLine(shop, cartId, lineId))
  if (found === undefined) throw notFound('This product')
  requireStock(shop, { ...found, quantity })
  shop.store.run('update cart_lines set quantity = ? where line_id = ?', quantity, lineId)
  countChange(shop, cartId)
}

export function removeLine(shop: Shop, cartId: string, lineId: string): void {
  requireOpen(shop, cartId)
  requireLine(shop, cartId, lineId)
  shop.store.run('delete from cart_lines where line_id = ?', lineId)
  countChange(shop, cartId)
}

export function applyCoupon(shop: Shop, cartId: string, code: string): void {
  requireOpen(shop, cartId)
  const { totals } = readCart(shop, cartId)
  const name = acceptCoupon(code, totals.subtotal.amount, shop.now())
  shop.store.run('update carts set coupon = ? where cart_id = ?', name, cartId)
  countChange(shop, cartId)
}

export function removeCoupon(shop: Shop, cartId: string, code: string): void {
  requireOpen(shop, cartId)
  const changed = shop.store.run(
    'update carts set coupon = null where cart_id = ? and coupon = ?',
    cartId,
    code.trim().toUpperCase(),
  )
  if (changed === 0) throw notFound('This coupon in the cart')
  countChange(shop, cartId)
}

/** How the goods reach the visitor. It changes the total, so it counts as a change of the cart. */
export function chooseFulfilment(shop: Shop, cartId: string, fulfilment: Fulfilment): void {
  requireOpen(shop, cartId)
  const changed = shop.store.run(
    'update carts set fulfilment = ? where cart_id = ? and fulfilment <> ?',
    fulfilment,
    cartId,
    fulfilment,
  )
  if (changed > 0) countChange(shop, cartId)
}

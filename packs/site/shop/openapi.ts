import { SCHEMAS } from './openapi-schemas.ts'

type Schema = Readonly<Record<string, unknown>>
type SideEffects = 'none' | 'writes.cart' | 'writes.order' | 'writes.booking'

type Operation = {
  readonly method: 'get' | 'put' | 'post' | 'patch' | 'delete'
  readonly path: string
  readonly id: string
  readonly summary: string
  readonly tag: string
  readonly sideEffects: SideEffects
  /** Becomes a tool. */
  readonly agent?: { readonly confirmRequired?: true }
  readonly query?: Readonly<Record<string, Schema>>
  readonly body?: Schema
  readonly answers: Readonly<Record<number, readonly [description: string, schema?: Schema]>>
  /** Whether a repetition with the same Idempotency-Key has the same answer and no effect. */
  readonly keyed?: true
  /** Whether `If-Match` with the cart's revision is obeyed. */
  readonly conditional?: true
  readonly isSecured?: true
}

const ref = (name: keyof typeof SCHEMAS): Schema => ({ $ref: `#/components/schemas/${name}` })
const page = (items: keyof typeof SCHEMAS): Schema => ({
  type: 'object',
  properties: {
    items: { type: 'array', items: ref(items) },
    nextCursor: { type: 'string', description: 'Send it as `cursor` for the next page.' },
  },
  required: ['items'],
})
const body = (properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
})
const words = (description: string, maxLength = 200): Schema => ({
  type: 'string',
  maxLength,
  description,
})
const whole = (description: string, minimum = 0): Schema => ({
  type: 'integer',
  minimum,
  description,
})
const moment = (description: string): Schema => ({
  type: 'string',
  format: 'date-time',
  description,
})

const SESSION = words('Whom it is for: a value that only the visitor and its agent know.', 128)
const QUANTITY: Schema = { type: 'integer', minimum: 1, maximum: 999, description: 'Pieces.' }
const LIMIT: Schema = { type: 'integer', minimum: 1, maximum: 100, default: 24 }
const LINE = body(
  {
    productId: words('The product.', 64),
    variantId: words('The variant; without it the cheapest in stock.', 64),
    quantity: { ...QUANTITY, default: 1 },
    notes: words('A card text, measurements.', 400),
  },
  ['variantId', 'quantity', 'notes'],
)

const CATALOG: readonly Operation[] = [
  {
    method: 'get',
    path: '/api/categories',
    id: 'listCategories',
    summary: 'List the categories of the shop.',
    tag: 'catalog',
    sideEffects: 'none',
    agent: {},
    answers: { 200: ['All categories.', page('Category')] },
  },
  {
    method: 'get',
    path: '/api/products',
    id: 'listProducts',
    summary: 'List products, filtered by category, colour, price and words.',
    tag: 'catalog',
    sideEffects: 'none',
    agent: {},
    query: {
      q: words('Words that the product must have.'),
      category: words('The slug of a category.', 64),
      colour: words('Such as red.', 32),
      maxPrice: whole('At most this price, in minor units: 4000 is 40.00 EUR.'),
      minPrice: whole('At least this price, in minor units.'),
      inStock: { type: 'boolean', description: 'Only what can be bought now.' },
      sort: { enum: ['featured', 'price', '-price', 'name'], default: 'featured' },
      limit: LIMIT,
      cursor: words('From the page before.'),
    },
    answers: { 200: ['One page of products.', page('ProductSummary')] },
  },
  {
    method: 'get',
    path: '/api/products/{productId}',
    id: 'getProduct',
    summary: 'Read a product with its variants.',
    tag: 'catalog',
    sideEffects: 'none',
    agent: {},
    answers: { 200: ['The product.', ref('Product')], 404: ['not_found'] },
  },
  {
    method: 'get',
    path: '/api/products/{productId}/variants',
    id: 'listVariants',
    summary: 'List the variants of a product with price and stock.',
    tag: 'catalog',
    sideEffects: 'none',
    agent: {},
    answers: { 200: ['Its variants.', page('Variant')], 404: ['not_found'] },
  },
  {
    method: 'get',
    path: '/api/search',
    id: 'search',
    summary: 'Search products, articles and help pages.',
    tag: 'catalog',
    sideEffects: 'none',
    agent: {},
    query: {
      q: words('What to look for; "under 40" limits the price.', 1000),
      kind: { enum: ['catalog', 'blog', 'docs', 'other'] },
      limit: LIMIT,
      cursor: words('From the page before.'),
    },
    answers: { 200: ['What was found, the best first.', page('SearchHit')] },
  },
]

const CART: readonly Operation[] = [
  {
    method: 'get',
    path: '/api/sessions/{session}/cart',
    id: 'getSessionCart',
    summary: 'Read the newest cart of a session.',
    tag: 'cart',
    sideEffects: 'none',
    answers: { 200: ['The cart.', ref('Cart')], 404: ['not_found: it has none yet'] },
  },
  {
    method: 'post',
    path: '/api/sessions/{session}/lines',
    id: 'addSessionLine',
    summary: 'Add to the open cart of a session; creates the cart if there is none.',
    tag: 'cart',
    sideEffects: 'writes.cart',
    keyed: true,
    body: LINE,
    answers: { 201: ['Added.', ref('AddedLine')], 404: ['not_found'], 409: ['out_of_stock'] },
  },
  {
    method: 'post',
    path: '/api/carts',
    id: 'createCart',
    summary: 'Create an empty cart.',
    tag: 'cart',
    sideEffects: 'writes.cart',
    agent: {},
    keyed: true,
    body: body({ session: SESSION }, ['session']),
    answers: { 201: ['The cart.', ref('Cart')] },
  },
  {
    method: 'get',
    path: '/api/carts/{cartId}',
    id: 'getCart',
    summary: 'Read a cart.',
    tag: 'cart',
    sideEffects: 'none',
    agent: {},
    answers: { 200: ['The cart.', ref('Cart')], 404: ['not_found'] },
  },
  {
    method: 'post',
    path: '/api/carts/{cartId}/lines',
    id: 'addCartLine',
    summary: 'Add a product to a cart. The same variant with the same notes is one line.',
    tag: 'cart',
    sideEffects: 'writes.cart',
    agent: {},
    keyed: true,
    conditional: true,
    body: LINE,
    answers: {
      201: ['Added.', ref('AddedLine')],
      404: ['not_found'],
      409: ['out_of_stock, cart_ordered'],
      412: ['cart_changed'],
    },
  },
  {
    method: 'patch',
    path: '/api/carts/{cartId}/lines/{lineId}',
    id: 'updateCartLine',
    summary: 'Set the quantity of a line.',
    tag: 'cart',
    sideEffects: 'writes.cart',
    agent: {},
    keyed: true,
    conditional: true,
    body: body({ quantity: QUANTITY }),
    answers: {
      200: ['The cart.', ref('Cart')],
      404: ['not_found'],
      409: ['out_of_stock, cart_ordered'],
      412: ['cart_changed'],
    },
  },
  {
    method: 'delete',
    path: '/api/carts/{cartId}/lines/{lineId}',
    id: 'removeCartLine',
    summary: 'Remove a line.',
    tag: 'cart',
    sideEffects: 'writes.cart',
    agent: {},
    keyed: true,
    conditional: true,
    answers: {
      200: ['The cart.', ref('Cart')],
      404: ['not_found'],
      409: ['cart_ordered'],
      412: ['cart_changed'],
    },
  },
  {
    method: 'post',
    path: '/api/carts/{cartId}/coupons',
    id: 'applyCoupon',
    summary: 'Apply a coupon.',
    tag: 'cart',
    sideEffects: 'writes.cart',
    agent: {},
    keyed: true,
    body: body({ code: words('The coupon.', 64) }),
    answers: {
      200: ['The cart.', ref('Cart')],
      404: ['not_found'],
      409: ['coupon_refused, cart_ordered'],
    },
  },
  {
    method: 'delete',
    path: '/api/carts/{cartId}/coupons/{code}',
    id: 'removeCoupon',
    summary: 'Remove a coupon.',
    tag: 'cart',
    sideEffects: 'writes.cart',
    agent: {},
    keyed: true,
    answers: { 200: ['The cart.', ref('Cart')], 404: ['not_found'], 409: ['cart_ordered'] },
  },
  {
    method: 'get',
    path: '/api/carts/{cartId}/quote',
    id: 'quoteCart',
    summary: 'Read what an order of this cart would be: lines, totals, terms.',
    tag: 'checkout',
    sideEffects: 'none',
    agent: {},
    answers: { 200: ['The quote.', ref('Quote')], 404: ['not_found'], 409: ['cart_empty'] },
  },
]

// table
// The JSON Schemas of the shop's API. The code of the API returns these shapes; a test validates
// its answers against them.

type Schema = Readonly<Record<string, unknown>>

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
const list = (items: Schema, more: Schema = {}): Schema => ({ type: 'array', items, ...more })
const text = (description: string, more: Schema = {}): Schema => ({
  type: 'string',
  description,
  ...more,
})
const time = (description: string): Schema => text(description, { format: 'date-time' })

/** An object whose members are all required, except those in `optional`. */
function object(properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', properties, required, additionalProperties: false } as const
}

const id = (prefix: string, what: string): Schema =>
  text(what, { pattern: `^${prefix}_[A-Za-z0-9_-]{1,64}$` })

const cartLine = object(
  {
    lineId: id('line', 'The line of a cart.'),
    productId: text('The product.'),
    variantId: text('The variant.'),
    name: text('Product and variant, as the visitor knows them.'),
    url: text('The page of the product.', { format: 'uri' }),
    quantity: { type: 'integer', minimum: 1, maximum: 999 },
    unitPrice: ref('Money'),
    total: ref('Money'),
    notes: text('What the visitor wrote for this line: a card text, measurements.', {
      maxLength: 400,
    }),
  },
  ['notes'],
)

const slot = {
  slotId: id('slot', 'The slot.'),
  resourceId: text('Whom or what the appointment is with.'),
  title: text('Such as "Fitting with Iris".'),
  start: time('With the offset of the shop.'),
  end: time('With the offset of the shop.'),
  price: ref('Money'),
  capacity: { type: 'integer', minimum: 1, description: 'For how many people there is room.' },
}

const booking = object(
  {
    bookingId: id('booking', 'The booking.'),
    slotId: slot.slotId,
    resourceId: slot.resourceId,
    state: { enum: ['booked', 'cancelled'] },
    title: slot.title,
    start: slot.start,
    end: slot.end,
    price: slot.price,
    confirmation: text('A short code to name at the shop.'),
    notes: text('What the visitor wrote.', { maxLength: 1000 }),
    policy: ref('CancellationPolicy'),
    fee: { ...ref('Money'), description: 'What the cancellation cost; only when cancelled.' },
    url: text('The page of the booking.', { format: 'uri' }),
  },
  ['notes', 'fee'],
)

const order = object(
  {
    orderId: id('order', 'The order.'),
    number: text('The number on the receipt.'),
    cartId: id('cart', 'The cart that was ordered.'),
    state: { enum: ['placed', 'payment_pending', 'paid', 'cancelled'] },
    lines: list(ref('CartLine')),
    totals: ref('Totals'),
    placedAt: time('When it was placed.'),
    url: text('The page of the order.', { format: 'uri' }),
    payUrl: text('Where the visitor pays; only while the payment is pending.', { format: 'uri' }),
  },
  ['payUrl'],
)

/** By name, for `components.schemas`. */
export const SCHEMAS = {
  Money: {
    ...object({
      amount: { type: 'integer', description: 'Minor units: 1999 is 19.99 EUR.' },
      currency: { type: 'string', pattern: '^[A-Z]{3}$' },
    }),
    description: 'An amount in minor units of its currency.',
  },
  Category: object({
    slug: text('The name in addresses.'),
    name: text('The name on the page.'),
    description: text('One sentence.'),
    url: text('The page.', { format: 'uri' }),
    products: { type: 'integer', minimum: 0, description: 'How many products it has.' },
  }),
  Variant: object({
    variantId: text('The variant.'),
    name: text('Such as "Large, in a vase".'),
    sku: text('The article number.'),
    price: ref('Money'),
    inStock: { type: 'boolean' },
    available: { type: 'integer', minimum: 0, description: 'How many can be bought now.' },
    attributes: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Size, colour and the like, by name.',
    },
  }),
  ProductSummary: object({
    productId: text('The product.'),
    name: text('The name.'),
    summary: text('One sentence.'),
    category: text('The slug of its category.'),
    colours: list({ type: 'string' }),
    priceFrom: { ...ref('Money'), description: 'The price of its cheapest variant.' },
    inStock: { type: 'boolean' },
    url: text('The page.', { format: 'uri' }),
    image: text('The picture.', { format: 'uri' }),
  }),
  Product: object({
    productId: text('The product.'),
    name: text('The name.'),
    summary: text('One sentence.'),
    description: text('Several sentences.'),
    category: text('The slug of its category.'),
    colours: list({ type: 'string' }),
    priceFrom: ref('Money'),
    inStock: { type: 'boolean' },
    url: text('The page.', { format: 'uri' }),
    image: text('The picture.', { format: 'uri' }),
    details: list({ type: 'string' }),
    variants: list(ref('Variant'), { minItems: 1 }),
  }),
  SearchHit: object(
    {
      kind: { enum: ['catalog', 'blog', 'docs', 'other'] },
      title: text('The title of the page.'),
      snippet: text('A sentence of it.'),
      url: text('The page.', { format: 'uri' }),
      score: { type: 'number', minimum: 0, maximum: 1 },
      productId: text('Of a product.'),
      priceFrom: ref('Money'),
    },
    ['productId', 'priceFrom'],
  ),
  CartLine: cartLine,
  Totals: object({
    subtotal: ref('Money'),
    discount: { ...ref('Money'), description: 'What coupons take off, as a positive amount.' },
    shipping: ref('Money'),
    tax: { ...ref('Money'), description: 'Contained in the total.' },
    total: ref('Money'),
  }),
  Cart: object({
    cartId: id('cart', 'The cart. Who knows it may change the cart.'),
    revision: { type: 'integer', minimum: 0, description: 'Grows with every change.' },
    state: { enum: ['open', 'ordered'] },
    lines: list(ref('CartLine')),
    coupons: list({ type: 'string' }),
    totals: ref('Totals'),
    url: text('Opens this cart in the browser of the visitor.', { format: 'uri' }),
  }),
  AddedLine: object({
    lineId: id('line', 'The line that was added to.'),
    cart: ref('Cart'),
  }),
  Quote: object({
    cartId: id('cart', 'The cart.'),
    revision: { type: 'integer', minimum: 0 },
    lines: list(ref('CartLine')),
    totals: ref('Totals'),
    terms: list({ type: 'string' }, { description: 'Terms of sale, in sentences.' }),
  }),
  Contact: object(
    {
      name: text('The name.', { minLength: 1, maxLength: 120 }),
      email: text('The e-mail address.', { format: 'email', maxLength: 254 }),
      phone: text('The phone number, E.164.', { pattern: '^\\+[1-9][0-9]{6,14}$' }),
    },
    ['email', 'phone'],
  ),
  Checkout: object(
    {
      checkoutToken: id('checkout', 'The checkout. Who knows it may order.'),
      cartId: id('cart', 'The cart.'),
      state: {
        enum: ['open', 'ordered', 'expired'],
        description: 'A checkout ends with the first change of its cart.',
      },
      totals: ref('Totals'),
      payUrl: text('Where the visitor pays by card: the agent never sees a card.', {
        format: 'uri',
      }),
      expiresAt: time('One hour after it was started.'),
      orderId: text('Once it is ordered.'),
    },
    ['orderId'],
  ),
  Order: order,
  Resource: object({
    resourceId: text('The resource.'),
    name: text('Such as "Fitting with Iris".'),
    description: text('One sentence.'),
    durationMinutes: { type: 'integer', minimum: 5 },
    price: ref('Money'),
    capacity: { type: 'integer', minimum: 1 },
    url: text('The page.', { format: 'uri' }),
  }),
  Slot: object({
    ...slot,
    state: {
      enum: ['free', 'held', 'booked'],
      description: 'A slot that the given session holds is "held" with heldByYou.',
    },
    heldByYou: { type: 'boolean' },
  }),
  SlotQuote: object({
    ...slot,
    state: { enum: ['free', 'held'], description: 'held: by this session.' },
    cancellation: text('The cancellation policy, in sentences.'),
  }),
  Hold: object({
    holdId: id('hold', 'The hold.'),
    slotId: slot.slotId,
    state: { enum: ['held', 'released', 'expired', 'booked'] },
    expiresAt: time('15 minutes after it was made.'),
  }),
  CancellationPolicy: object(
    {
      text: text('The terms, in sentences.'),
      freeUntil: time('Until then it costs nothing.'),
      fee: { ...ref('Money'), description: 'What a cancellation costs now.' },
    },
    ['freeUntil'],
  ),
  Booking: booking,
  Problem: {
    type: 'object',
    description: 'RFC 9457.',
    properties: {
      type: text('About the kind of problem.', { format: 'uri-reference' }),
      title: text('What happened.'),
      status: { type: 'integer' },
      code: text('For programs.'),
      detail: text('What happened, then what to do.'),
    },
    required: ['type', 'title', 'status', 'code', 'detail'],
  },
} as const satisfies Readonly<Record<string, Schema>>

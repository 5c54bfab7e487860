// table
type Action = {
  readonly id: string
  readonly description: string
  readonly sideEffects:
    | 'none'
    | 'read-only-nav'
    | 'writes.cart'
    | 'writes.order'
    | 'writes.booking'
    | 'writes.content'
  readonly params?: Readonly<Record<string, object>>
  readonly confirmRequired?: true
}

const text = (description: string, maxLength = 200) => ({ type: 'string', description, maxLength })
const whole = (description: string, maximum: number) => ({
  type: 'integer',
  minimum: 1,
  maximum,
  description,
})

// Payment is missing on purpose: only the visitor enters a card.
const ACTIONS: readonly Action[] = [
  { id: 'nav.home', description: 'Go to the front page.', sideEffects: 'read-only-nav' },
  { id: 'nav.open', description: 'Follow a link of the navigation.', sideEffects: 'read-only-nav' },
  {
    id: 'search.submit',
    description: 'Search the shop.',
    sideEffects: 'read-only-nav',
    params: { q: text('What to look for.', 1000) },
  },
  {
    id: 'filter.apply',
    description: 'Filter and sort the products of a category page.',
    sideEffects: 'read-only-nav',
    params: {
      colour: text('Such as red.', 32),
      max: whole('Highest price in euros.', 99_999),
      sort: { enum: ['featured', 'price', '-price', 'name'] },
    },
  },
  { id: 'product.open', description: 'Open the page of a product.', sideEffects: 'read-only-nav' },
  {
    id: 'product.addToCart',
    description: 'Add the product of this page to the cart.',
    sideEffects: 'writes.cart',
    params: {
      variantId: text('The variant.', 64),
      quantity: whole('How many.', 999),
      notes: text('A card text, measures.', 400),
    },
  },
  { id: 'cart.open', description: 'Open the cart.', sideEffects: 'read-only-nav' },
  {
    id: 'cart.updateQuantity',
    description: 'Set the quantity of a line of the cart.',
    sideEffects: 'writes.cart',
    params: { quantity: whole('How many.', 999) },
  },
  { id: 'cart.removeLine', description: 'Remove a line of the cart.', sideEffects: 'writes.cart' },
  {
    id: 'cart.applyCoupon',
    description: 'Apply a coupon to the cart.',
    sideEffects: 'writes.cart',
    params: { code: text('The coupon.', 64) },
  },
  { id: 'cart.removeCoupon', description: 'Remove the coupon.', sideEffects: 'writes.cart' },
  { id: 'checkout.start', description: 'Open the checkout.', sideEffects: 'read-only-nav' },
  {
    id: 'checkout.submit',
    description: 'Send name and address, and go on to the payment page. Orders nothing yet.',
    sideEffects: 'writes.order',
    params: {
      name: text('Name.', 120),
      email: text('E-mail address.', 254),
      fulfilment: { enum: ['collect', 'delivery'] },
    },
  },
  {
    id: 'payment.atShop',
    description: 'Order, and pay when collecting.',
    sideEffects: 'writes.order',
    confirmRequired: true,
  },
  { id: 'booking.openResource', description: 'Show the free times.', sideEffects: 'read-only-nav' },
  {
    id: 'booking.chooseSlot',
    description: 'Hold a time for 15 minutes and open the form of the booking.',
    sideEffects: 'writes.booking',
    params: { slotId: text('The slot.', 64) },
  },
  {
    id: 'booking.submit',
    description: 'Book the time that is held.',
    sideEffects: 'writes.booking',
    confirmRequired: true,
    params: { name: text('Name.', 120), email: text('E-mail address.', 254) },
  },
  {
    id: 'booking.cancel',
    description: 'Cancel the appointment. It may cost a fee, which the page states.',
    sideEffects: 'writes.booking',
    confirmRequired: true,
  },
  {
    id: 'contact.send',
    description: 'Send a message to the shop.',
    sideEffects: 'writes.content',
    confirmRequired: true,
    params: {
      name: text('Name.', 120),
      email: text('E-mail address.', 254),
      text: text('The message.', 4000),
    },
  },
  {
    id: 'contact.preview',
    description: 'Show a message before it is sent.',
    sideEffects: 'read-only-nav',
    params: {
      name: text('Name.', 120),
      email: text('E-mail address.', 254),
      text: text('The message.', 4000),
    },
  },
  {
    id: 'newsletter.subscribe',
    description: 'Subscribe to the monthly letter.',
    sideEffects: 'writes.content',
    confirmRequired: true,
    params: { email: text('E-mail address.', 254) },
  },
]

/** The file actions.json. An element of an action has its id in `data-action`. */
export const ACTIONS_FILE = {
  version: '1',
  actions: ACTIONS.map(({ id, ...action }) => ({
    id,
    selector: `[data-action="${id}"]`,
    ...action,
  })),
}

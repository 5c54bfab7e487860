import type { Envelope } from '@surehand/core'
import { z } from 'zod'
import { CartShape } from '../commerce/cart-shape.ts'
import { digitsOf, formatMoney } from '../format-money.ts'
import { recordSiteEvent } from '../session/record-conversion.ts'
import type { Intent } from './intent.ts'
import { explainFailure, pathOf, type StepResult, type Talk } from './talk.ts'

type Of<K extends Intent['do']> = Extract<Intent, { do: K }>

const Found = z.object({
  items: z.array(
    z.object({ title: z.string(), url: z.string(), productId: z.string().optional() }),
  ),
})
const WithCart = z.object({ cartLineId: z.string().optional(), cart: CartShape })

export async function search(talk: Talk, { query, maxPrice }: Of<'search'>): Promise<StepResult> {
  const { phrases, services, visitor, turn } = talk
  await talk.delta(phrases.searching(query))
  const filters =
    maxPrice === undefined
      ? {}
      : { filters: [{ field: 'price', op: 'lte', value: toMinor(talk, maxPrice) }] }
  const answer = await talk.call('search.siteSearch', { query, ...filters })
  if (answer.status !== 'success') return explainFailure(talk, answer)
  const found = Found.parse(answer.data).items
  const items = found.map((item) => ({ ...item, title: shortenTitle(item.title, talk) }))
  const [first] = items
  if (first === undefined) {
    const event = { kind: 'unanswered_search', text: query, key: `search ${turn}` } as const
    await recordSiteEvent(services, visitor, event)
    return { text: phrases.nothing(query), stop: true }
  }
  // Optimistic: the page opens while the visitor hears what was found.
  await talk.call('navigation.goto', { path: pathOf(first.url) })
  const results = items.slice(0, 5)
  return {
    text: phrases.found(items.length, first.title),
    options: results.map(({ title, url }) => ({ title, url })),
    state: { results },
  }
}

// Titles of pages end with the site's name, which the visitor need not hear with each of them.
function shortenTitle(title: string, { site }: Talk): string {
  return title.replace(/ [·|–-] [^·|–-]+$/, (end) => (end.endsWith(site.contract.name) ? '' : end))
}

// Prices are compared in minor units; the currency is the shop's, which its limit may state.
function toMinor({ site }: Talk, amount: number): number {
  const currency = site.contract.spendLimit?.currency ?? 'EUR'
  return Math.round(amount * 10 ** digitsOf(currency))
}

export async function add(talk: Talk, intent: Of<'add'>): Promise<StepResult> {
  const { phrases } = talk
  const found =
    intent.query === undefined
      ? undefined
      : await search(talk, { do: 'search', query: intent.query })
  if (found?.stop === true) return found
  const results = found?.state?.results ?? talk.state.results
  const products = results.filter(({ productId }) => productId !== undefined)
  const product = products[(intent.ordinal ?? 1) - 1]
  if (product?.productId === undefined) return { text: phrases.whichProduct, stop: true }
  const { quantity, notes } = intent
  await talk.delta(phrases.adding(quantity, product.title))
  const answer = await talk.call('commerce.addToCart', {
    productId: product.productId,
    quantity,
    ...(notes === undefined ? {} : { notes }),
  })
  const added = readCart(answer)
  if (added === undefined) return explainFailure(talk, answer)
  await showCartPage(talk, added.cart.url)
  return {
    text: phrases.added(quantity, product.title, formatMoney(added.cart.totals.total)),
    state: { results, ...added.state },
  }
}

async function showCartPage(talk: Talk, url: string | undefined): Promise<void> {
  if (url !== undefined && talk.site.contract.origins.includes(new URL(url).origin))
    await talk.call('navigation.goto', { path: pathOf(url) })
}

export async function changeLine(
  talk: Talk,
  intent: Of<'setQuantity'> | Of<'remove'>,
): Promise<StepResult> {
  const { cartLineId } = talk.state
  if (cartLineId === undefined) return { text: talk.phrases.emptyCart, stop: true }
  const answer =
    intent.do === 'remove'
      ? await talk.call('commerce.removeFromCart', { cartLineId })
      : await talk.call('commerce.updateQuantity', { cartLineId, quantity: intent.quantity })
  const changed = readCart(answer)
  if (changed === undefined) return explainFailure(talk, answer)
  return {
    text: talk.phrases.changed(formatMoney(changed.cart.totals.total)),
    state: changed.state,
  }
}

export async function applyCoupon(talk: Talk, { code }: Of<'coupon'>): Promise<StepResult> {
  const { cartId } = talk.state
  if (cartId === undefined) return { text: talk.phrases.emptyCart, stop: true }
  const answer = await talk.call('commerce.applyCoupon', { cartId, code })
  const changed = readCart(answer)
  if (changed === undefined) return explainFailure(talk, answer)
  return {
    text: talk.phrases.changed(formatMoney(changed.cart.totals.total)),
    state: changed.state,
  }
}

type ReadCart = {
  readonly cart: z.output<typeof CartShape>
  readonly state: { readonly cartId: string; readonly cartLineId: string | undefined }
}

function readCart({ status, data }: Envelope): ReadCart | undefined {
  const read = WithCart.safeParse(data)
  if (status !== 'success' || !read.success) return undefined
  const { cart, cartLineId } = read.data
  const last = cart.lines.at(-1)?.cartLineId
  return { cart, state: { cartId: cart.cartId, cartLineId: cartLineId ?? last } }
}

const Checkout = z.object({ checkoutToken: z.string(), cartId: z.string() })

export async function checkOut(talk: Talk): Promise<StepResult> {
  const { cartId } = talk.state
  if (cartId === undefined) return { text: talk.phrases.emptyCart, stop: true }
  await talk.delta(talk.phrases.checkingOut)
  const [origin] = talk.site.contract.origins
  const started = await talk.call('commerce.startCheckout', { cartId, returnUrl: `${origin}/cart` })
  if (started.metadata.pending !== undefined) return askVisitor(talk, started)
  if (started.status !== 'success') return explainFailure(talk, started)
  return placeOrder(talk, started)
}

/** Places the order of a checkout that was started; the visitor is asked first. */
export async function placeOrder(talk: Talk, started: Envelope): Promise<StepResult> {
  const { checkoutToken, cartId } = Checkout.parse(started.data)
  const asked = await talk.call('commerce.placeOrder', { cartId, checkoutToken })
  return asked.metadata.pending === undefined
    ? explainFailure(talk, asked)
    : askVisitor(talk, asked)
}

/** Shows an approval request to the visitor and reads it back. */
export async function askVisitor(talk: Talk, { metadata }: Envelope): Promise<StepResult> {
  const { pending } = metadata
  if (pending === undefined) return { text: talk.phrases.notUnderstood, stop: true }
  await talk.publish({ kind: 'approval', approvalId: pending.approval_id, turn: talk.turn })
  return { text: talk.phrases.readBack(pending.asks), stop: true }
}

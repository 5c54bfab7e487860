import type { Envelope } from '@surehand/core'
import { addDays, dayOf, instantText, startOfDay, timeOf } from '@surehand/dates'
import { z } from 'zod'
import { CartShape } from '../commerce/cart-shape.ts'
import { digitsOf, formatMoney } from '../format-money.ts'
import { recordSiteEvent } from '../session/record-conversion.ts'
import type { Intent, Wish } from './intent.ts'
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

const Slots = z.object({
  slots: z.array(
    z.object({ slotId: z.string(), title: z.string(), start: z.string(), end: z.string() }),
  ),
})
type Slot = z.output<typeof Slots>['slots'][number]

const HOURS = {
  morning: [0, 12],
  afternoon: [12, 17],
  evening: [17, 24],
} as const satisfies Record<NonNullable<Wish['part']>, readonly [number, number]>

/** Finds the first free slot that fits, and asks the visitor to confirm it. */
export async function bookAppointment(
  talk: Talk,
  { what, wish }: Extract<Intent, { do: 'book' }>,
): Promise<StepResult> {
  const { phrases, visitor } = talk
  if (wish.day === undefined)
    return { text: phrases.whichDay(what), state: { booking: { what } }, stop: true }
  await talk.delta(phrases.lookingForSlots)
  const zone = visitor.person.timeZone ?? 'UTC'
  const from = instantText(startOfDay(wish.day, zone), zone)
  const to = instantText(startOfDay(addDays(wish.endDay ?? wish.day, 1), zone), zone)
  const answer = await talk.call('booking.searchSlots', { interval: `${from}/${to}` })
  if (answer.status !== 'success') return explainFailure(talk, answer)
  const slot = chooseSlot(Slots.parse(answer.data).slots, what, wish, zone)
  if (slot === undefined)
    return { text: phrases.noSlot(what), state: { booking: { what } }, stop: true }
  const asked = await talk.call('booking.bookSlot', { slotId: slot.slotId })
  if (asked.metadata.pending === undefined) return explainFailure(talk, asked)
  return { ...(await askVisitor(talk, asked)), state: { booking: undefined } }
}

function chooseSlot(
  slots: readonly Slot[],
  what: string,
  wish: Wish,
  zone: string,
): Slot | undefined {
  const named = slots.filter(({ title }) => isNamed(title, what))
  // German words for the shop's English titles: with no match, any resource may be meant.
  const candidates = named.length > 0 || what === '' ? named : slots
  return candidates.find(({ start }) => fits(Date.parse(start), wish, zone))
}

function isNamed(title: string, what: string): boolean {
  const words = what.split(' ').filter((word) => word.length > 2)
  const plain = title.toLowerCase()
  return words.length === 0 || words.some((word) => plain.includes(word.replace(/s$/, '')))
}

function fits(start: number, { day, endDay, time, part }: Wish, zone: string): boolean {
  const on = dayOf(start, zone)
  if (day !== undefined && (on < day || on > (endDay ?? day))) return false
  const at = timeOf(start, zone)
  if (time !== undefined) return at >= time
  if (part === undefined) return true
  const hour = Number(at.slice(0, 2))
  const [from, to] = HOURS[part]
  return hour >= from && hour < to
}

/** Cancels the booking of this visit; the visitor is asked first and hears the policy. */
export async function cancelAppointment(talk: Talk): Promise<StepResult> {
  const { bookingId } = talk.state
  if (bookingId === undefined) return { text: talk.phrases.noBooking, stop: true }
  const asked = await talk.call('booking.cancelBooking', { bookingId })
  return asked.metadata.pending === undefined
    ? explainFailure(talk, asked)
    : askVisitor(talk, asked)
}

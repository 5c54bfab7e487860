import { instantText } from '@surehand/dates'
import { notFound, Refusal } from '../refusal.ts'
import type { Contact } from '../selling/checkouts.ts'
import { requirePayment } from '../selling/orders.ts'
import { type Money, money, type Shop, TIME_ZONE } from '../shop.ts'
import type { Row } from '../store/open-store.ts'
import { type CancellationPolicy, policyAt } from './policy.ts'
import { findSlot, type PlannedSlot } from './slots.ts'

export type Hold = {
  readonly holdId: string
  readonly slotId: string
  readonly state: 'held' | 'released' | 'expired' | 'booked'
  readonly expiresAt: string
}

export type Booking = {
  readonly bookingId: string
  readonly slotId: string
  readonly resourceId: string
  readonly state: 'booked' | 'cancelled'
  readonly title: string
  readonly start: string
  readonly end: string
  readonly price: Money
  readonly confirmation: string
  readonly notes?: string
  readonly policy: CancellationPolicy
  readonly fee?: Money
  readonly url: string
}

export const HOLD_MS = 15 * 60 * 1000

/**
 * Holds a slot; within a transaction. A session that holds it already gets the same hold with the
 * same end, so that repeating does not extend it.
 */
export function holdSlot(
  shop: Shop,
  {
    slotId,
    session,
    customer,
  }: { readonly slotId: string; readonly session: string; readonly customer?: Contact | undefined },
): string {
  requireAhead(shop, findSlot(slotId))
  const own = requireFree(shop, slotId, session)
  if (own !== undefined) return own
  const holdId = shop.newId('hold')
  shop.store.run(
    `insert into holds (hold_id, slot_id, session, state, customer, expires_at)
     values (?, ?, ?, 'held', ?, ?)`,
    holdId,
    slotId,
    session,
    customer === undefined ? null : JSON.stringify(customer),
    shop.now() + HOLD_MS,
  )
  return holdId
}

function requireAhead({ now }: Shop, { startMs }: PlannedSlot): void {
  if (startMs <= now())
    throw new Refusal('slot_past', 'This slot has begun or is over. Choose a later one.')
}

/** Returns the session's own hold, undefined where the slot is free; refuses another's. */
export function requireFree(shop: Shop, slotId: string, session: string): string | undefined {
  const { store } = shop
  store.run(
    "update holds set state = 'expired' where slot_id = ? and state = 'held' and expires_at <= ?",
    slotId,
    shop.now(),
  )
  const booking = store.one("select 1 from bookings where slot_id = ? and state = 'booked'", slotId)
  const hold = store.one(
    "select hold_id, session from holds where slot_id = ? and state = 'held'",
    slotId,
  )
  if (booking !== undefined || (hold !== undefined && hold.session !== session))
    throw new Refusal('slot_taken', 'Another visitor has this slot. Choose another one.')
  return hold === undefined ? undefined : String(hold.hold_id)
}

export function readHold(shop: Shop, holdId: string): Hold {
  const row = shop.store.one('select * from holds where hold_id = ?', holdId)
  if (row === undefined) throw notFound('This hold')
  const isOver = row.state === 'held' && Number(row.expires_at) <= shop.now()
  return {
    holdId,
    slotId: String(row.slot_id),
    state: isOver ? 'expired' : (row.state as Hold['state']),
    expiresAt: instantText(Number(row.expires_at), TIME_ZONE),
  }
}

export function releaseHold(shop: Shop, holdId: string): void {
  if (readHold(shop, holdId).state === 'booked')
    throw new Refusal('already_booked', 'This hold has become a booking. Cancel the booking.')
  shop.store.run("update holds set state = 'released' where hold_id = ? and state = 'held'", holdId)
}

export type NewBooking = {
  readonly slotId: string
  readonly session: string
  readonly expectedPrice: Money
  readonly customer?: Contact | undefined
  readonly paymentToken?: string | undefined
  readonly notes?: string | undefined
}

/** Books a slot that is free or held by the session; within a transaction. */
export function bookSlot(shop: Shop, booking: NewBooking): string {
  const { slotId, session, expectedPrice, paymentToken } = booking
  const slot = findSlot(slotId)
  requireAhead(shop, slot)
  const holdId = requireFree(shop, slotId, session)
  const price = money(slot.resource.price)
  if (price.amount !== expectedPrice.amount || price.currency !== expectedPrice.currency)
    throw new Refusal('price_changed', 'The price is not the expected one. Read the quote again.')
  if (paymentToken !== undefined) requirePayment({ method: 'token', token: paymentToken })
  const { store } = shop
  const hold =
    holdId === undefined
      ? undefined
      : store.one('select customer from holds where hold_id = ?', holdId)
  const customer =
    booking.customer === undefined ? (hold?.customer ?? null) : JSON.stringify(booking.customer)
  const bookingId = shop.newId('booking')
  store.run(
    `insert into bookings (booking_id, slot_id, session, state, price, confirmation, customer,
       notes, fee, booked_at) values (?, ?, ?, 'booked', ?, ?, ?, ?, null, ?)`,
    bookingId,
    slotId,
    session,
    price.amount,
    confirmationOf(bookingId),
    customer === null ? null : String(customer),
    booking.notes?.trim() ?? '',
    shop.now(),
  )
  if (holdId !== undefined) store.run("update holds set state = 'booked' where hold_id = ?", holdId)
  return bookingId
}

function confirmationOf(bookingId: string): string {
  const letters = bookingId.replace(/^booking_/, '').replace(/[^A-Za-z0-9]/g, '')
  return `T${letters.slice(0, 5).toUpperCase()}`
}

export function readBooking(shop: Shop, bookingId: string): Booking {
  const row = shop.store.one('select * from bookings where booking_id = ?', bookingId)
  if (row === undefined) throw notFound('This booking')
  return toBooking(shop, row)
}

function toBooking(shop: Shop, row: Row): Booking {
  const { resource, startMs, endMs } = findSlot(String(row.slot_id))
  const price = Number(row.price)
  return {
    bookingId: String(row.booking_id),
    slotId: String(row.slot_id),
    resourceId: resource.id,
    state: row.state as Booking['state'],
    title: resource.name,
    start: instantText(startMs, TIME_ZONE),
    end: instantText(endMs, TIME_ZONE),
    price: money(price),
    confirmation: String(row.confirmation),
    ...(row.notes !== '' && { notes: String(row.notes) }),
    policy: policyAt({ now: shop.now(), startMs, price }),
    ...(row.fee !== null && { fee: money(Number(row.fee)) }),
    url: `${shop.origin}/bookings/${row.booking_id}`,
  }
}

/** Cancels a booking; within a transaction. Cancelling twice costs once. */
export function cancelBooking(
  shop: Shop,
  {
    bookingId,
    expectedFee,
  }: { readonly bookingId: string; readonly expectedFee?: Money | undefined },
): void {
  const booking = readBooking(shop, bookingId)
  if (booking.state === 'cancelled') return
  if (findSlot(booking.slotId).startMs <= shop.now())
    throw new Refusal('booking_past', 'The appointment has begun or is over. Call the shop.')
  const { fee } = booking.policy
  if (expectedFee !== undefined && expectedFee.amount !== fee.amount)
    throw new Refusal('fee_changed', 'The fee is not the expected one. Read the booking again.')
  shop.store.run(
    "update bookings set state = 'cancelled', fee = ? where booking_id = ?",
    fee.amount,
    bookingId,
  )
}

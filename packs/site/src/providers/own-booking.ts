import { ToolError } from '@surehand/core'
import type { PackGiven } from '@surehand/core/host'
import type { Row } from '@surehand/core/internal'
import { instantText } from '@surehand/dates'
import type { BookingCalendar, Slot } from '../booking/booking-port.ts'
import type { Shopper } from '../commerce/commerce-port.ts'
import { cancellationFee } from '../slots/take-slot.ts'

const MOST_SLOTS = 100
type Given = Pick<PackGiven, 'query' | 'call' | 'systemCaller' | 'now'>

/**
 * Slots that the owner has published (`site.publish_slots`), in our own tables. Each change is a
 * transaction under the key of its call, so a repetition is answered and not done again.
 */
export function ownBooking(given: Given): BookingCalendar {
  return { ...readsOf(given), ...writesOf(given) }
}

function readsOf({
  query,
  now,
}: Given): Pick<BookingCalendar, 'searchSlots' | 'quote' | 'booking'> {
  return {
    async searchSlots({ shopper: { tenant }, resourceId, from, to, partySize }) {
      const rows = await query(
        `${SLOTS} where slot.tenant = ? and slot.starts_at > ? and slot.starts_at >= ? and slot.starts_at < ?
          and slot.capacity >= ? and (? = '' or slot.resource_id = ?) order by slot.starts_at, slot.id limit ?`,
        [
          tenant,
          now(),
          from === undefined ? 0 : Date.parse(from),
          to === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(to),
          partySize ?? 1,
          resourceId ?? '',
          resourceId ?? '',
          MOST_SLOTS,
        ],
      )
      return rows.map((row) => toSlot(row, now()))
    },
    async quote({ shopper: { tenant, session }, slotId }) {
      const [row] = await query(`${SLOTS} where slot.tenant = ? and slot.id = ?`, [tenant, slotId])
      if (row === undefined)
        throw new ToolError(
          'TOOL_RESOURCE_NOT_FOUND',
          `There is no slot ${slotId}. Look for free ones with booking.searchSlots.`,
          { effect: 'none' },
        )
      const { title, start, end, price, state } = toSlot(row, now())
      if (state === 'booked' || (state === 'held' && row.held_by !== session))
        throw new ToolError(
          'TOOL_GATE_CLOSED',
          'Another visitor has this slot. Choose another one with booking.searchSlots.',
          { effect: 'none', details: { source_code: 'slot_taken' } },
        )
      return { slotId, title, start, end, price, state, cancellation: String(row.policy) }
    },
    booking: ({ shopper, bookingId }) => readBooking({ query, now }, shopper, bookingId),
  }
}

function writesOf(given: Given): Pick<BookingCalendar, 'hold' | 'book' | 'cancel'> {
  const bookingOf = async (shopper: Shopper, bookingId: string) => {
    const booking = await readBooking(given, shopper, bookingId)
    if (booking !== null) return booking
    throw new ToolError('TOOL_RESOURCE_UNAVAILABLE', 'The booking cannot be read now.', {
      effect: 'possible',
    })
  }
  return {
    async hold({ shopper, slotId, customer, idempotencyKey }) {
      const request = { tool: 'site.hold_own_slot', shopper, key: idempotencyKey }
      const held = await change<{ holdId: string; expiresAt: number }>(given, request, {
        slotId,
        customer,
      })
      const expiresAt = new Date(held.expiresAt).toISOString()
      return { holdId: held.holdId, slotId, expiresAt }
    },
    async book({ shopper, slotId, paymentToken, notes, expectedPrice, idempotencyKey }) {
      if (paymentToken !== undefined)
        throw new ToolError(
          'TOOL_INVALID_FIELD_VALUE',
          'These appointments take no payment in advance. Nothing was booked; leave paymentToken out.',
          { effect: 'none', details: { field: 'paymentToken' } },
        )
      const request = { tool: 'site.book_own_slot', shopper, key: idempotencyKey }
      const { bookingId } = await change<{ bookingId: string }>(given, request, {
        slotId,
        expectedPrice,
        ...(notes === undefined ? {} : { notes }),
      })
      return bookingOf(shopper, bookingId)
    },
    async cancel({ shopper, bookingId, expectedFee, idempotencyKey }) {
      const request = { tool: 'site.cancel_own_booking', shopper, key: idempotencyKey }
      await change(given, request, { bookingId, fee: expectedFee.amount })
      return { ...(await bookingOf(shopper, bookingId)), fee: expectedFee }
    },
  }
}

type Change = { readonly tool: string; readonly shopper: Shopper; readonly key: string }

async function change<T>(
  { call, systemCaller }: Given,
  { tool, shopper: { tenant, session }, key }: Change,
  input: object,
): Promise<T> {
  const outcome = await call({
    tool,
    input: { sessionId: session, ...input },
    caller: systemCaller(tenant),
    surface: 'site',
    idempotencyKey: key,
  })
  if (outcome.status === 'done') return outcome.data as T
  if (outcome.status !== 'failed')
    throw new ToolError('TOOL_RESOURCE_UNAVAILABLE', 'The calendar did not answer in time.')
  const { code, message, details } = outcome.error
  const isRefusal = details?.source_code !== undefined || code === 'TOOL_RESOURCE_NOT_FOUND'
  throw isRefusal
    ? new ToolError(code, message, { effect: 'refused', ...(details && { details }) })
    : outcome.error
}

async function readBooking(
  { query, now }: Pick<Given, 'query' | 'now'>,
  { tenant, session }: Shopper,
  id: string,
) {
  const [row] = await query(
    'select * from site_bookings where tenant = ? and id = ? and session = ?',
    [tenant, id, session],
  )
  return row === undefined ? null : toBooking(row, now())
}

const SLOTS = `select slot.*, hold.session as held_by, hold.expires_at as held_until, booking.id as booking
  from site_slots slot
  left join site_slot_holds hold on hold.tenant = slot.tenant and hold.slot_id = slot.id
  left join site_bookings booking on booking.tenant = slot.tenant and booking.slot_id = slot.id
    and booking.state = 'booked'`

function toSlot(row: Row, now: number): Slot {
  const isHeld = row.held_until !== null && Number(row.held_until) > now
  return {
    slotId: String(row.id),
    resourceId: String(row.resource_id),
    ...describeTime(row),
    capacity: Number(row.capacity),
    state: row.booking !== null ? 'booked' : isHeld ? 'held' : 'free',
  }
}

function describeTime(row: Row) {
  const zone = String(row.time_zone)
  return {
    title: String(row.title),
    start: instantText(Number(row.starts_at), zone),
    end: instantText(Number(row.ends_at), zone),
    price: { amount: Number(row.price), currency: String(row.currency) },
  }
}

function toBooking(row: Row, now: number) {
  const { currency } = describeTime(row).price
  const freeHours = row.free_hours === null ? undefined : Number(row.free_hours)
  const freeUntil = Number(row.starts_at) - (freeHours ?? 0) * 3_600_000
  return {
    bookingId: String(row.id),
    slotId: String(row.slot_id),
    state: row.state === 'booked' ? ('booked' as const) : ('cancelled' as const),
    ...describeTime(row),
    confirmation: String(row.id).slice(-8).toUpperCase(),
    policy: {
      text: String(row.policy),
      ...(freeHours === undefined
        ? {}
        : { freeUntil: instantText(freeUntil, String(row.time_zone)) }),
      fee: { amount: cancellationFee(row, now), currency },
    },
  }
}

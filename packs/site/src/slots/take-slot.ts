import { defineTool, defineTransaction, ToolError, type Tx, transact } from '@surehand/core'
import { Money } from '@surehand/documents'
import { z } from 'zod'
import { formatMoney } from '../format-money.ts'
import { systemOnly, type WriteRequest, writeRequest } from '../write-request.ts'

/** A hold ends after this time by itself (PT15M). */
export const HOLD_MS = 15 * 60_000

const SessionId = z.string().min(1).max(128)
const Hold = z.object({
  sessionId: SessionId,
  slotId: z.string().max(128),
  customer: z.object({
    name: z.string().max(120),
    email: z.string().max(254).optional(),
    phone: z.string().max(32).optional(),
  }),
})
type HoldInput = z.output<typeof Hold>

const slotWrite = {
  ...systemOnly,
  effect: 'writes.booking',
  reversible: true,
  idempotency: 'caller',
  timeout: '5s',
} as const

const hold = defineTransaction(
  'site.hold_own_slot',
  async (tx, { tenant, now, id, input }: WriteRequest<HoldInput>) => {
    const { sessionId, slotId, customer } = input
    await requireSlot(tx, { tenant, slotId, now })
    const expiresAt = now + HOLD_MS
    await takeHold(tx, { tenant, now, id, sessionId, slotId, expiresAt })
    await tx.run(
      'update site_slot_holds set customer = ? where tenant = ? and slot_id = ?',
      JSON.stringify(customer),
      tenant,
      slotId,
    )
    return { holdId: id, slotId, expiresAt }
  },
)

type Taking = {
  readonly tenant: string
  readonly now: number
  readonly id: string
  readonly sessionId: string
  readonly slotId: string
  readonly expiresAt: number
}

// Of two visitors one changes the row of the slot; the other finds a hold that has not expired.
// The row is locked until the end, so the look for a booking after it sees the winner's.
async function takeHold(tx: Tx, taking: Taking): Promise<void> {
  const { tenant, now, id, sessionId, slotId, expiresAt } = taking
  const { changes } = await tx.run(
    `insert into site_slot_holds (tenant, slot_id, id, session, expires_at) values (?, ?, ?, ?, ?)
      on conflict (tenant, slot_id) do update set id = excluded.id, session = excluded.session,
        expires_at = excluded.expires_at, customer = case when site_slot_holds.session = excluded.session
          then site_slot_holds.customer else null end
      where site_slot_holds.session = excluded.session or site_slot_holds.expires_at <= ?`,
    tenant,
    slotId,
    id,
    sessionId,
    expiresAt,
    now,
  )
  if (changes === 0) throw takenError('Another visitor holds this slot.')
  const booked = await tx.get(
    "select id from site_bookings where tenant = ? and slot_id = ? and state = 'booked'",
    tenant,
    slotId,
  )
  if (booked !== undefined) throw takenError('This slot is booked.')
}

function takenError(what: string): ToolError {
  return new ToolError(
    'TOOL_GATE_CLOSED',
    `${what} Nothing was booked; choose another one with booking.searchSlots.`,
    { details: { source_code: 'slot_taken' } },
  )
}

async function requireSlot(
  tx: Tx,
  { tenant, slotId, now }: { tenant: string; slotId: string; now: number },
) {
  const slot = await tx.get('select * from site_slots where tenant = ? and id = ?', tenant, slotId)
  if (slot === undefined || Number(slot.starts_at) <= now)
    throw new ToolError(
      'TOOL_RESOURCE_NOT_FOUND',
      `There is no slot ${slotId} any more. Nothing was booked; look with booking.searchSlots.`,
    )
  return slot
}

export const holdOwnSlot = defineTool({
  id: 'site.hold_own_slot',
  title: 'Hold a slot of our own',
  category: 'site',
  description: 'Holds a published slot for 15 minutes. Part of booking.holdSlot.',
  input: Hold,
  output: z.object({ holdId: z.string(), slotId: z.string(), expiresAt: z.number() }),
  contract: slotWrite,
  examples: [
    {
      name: 'for Ada',
      input: {
        sessionId: 'ses_0123456789abcdef',
        slotId: 'slot_fitting_1',
        customer: { name: 'Ada Lovelace' },
      },
    },
  ],
  transaction: transact(hold, writeRequest<HoldInput>('hold')),
})

const Book = z.object({
  sessionId: SessionId,
  slotId: z.string().max(128),
  notes: z.string().max(1_000).optional(),
  expectedPrice: Money,
})
type BookInput = z.output<typeof Book>

const book = defineTransaction(
  'site.book_own_slot',
  async (tx, { tenant, now, id, input }: WriteRequest<BookInput>) => {
    const { sessionId, slotId, notes, expectedPrice } = input
    const slot = await requireSlot(tx, { tenant, slotId, now })
    const price = { amount: Number(slot.price), currency: String(slot.currency) }
    if (price.amount !== expectedPrice.amount || price.currency !== expectedPrice.currency)
      throw new ToolError(
        'TOOL_GATE_CLOSED',
        `The price is ${formatMoney(price)} now. Nothing was booked; ask the visitor again.`,
        { details: { source_code: 'price_changed' } },
      )
    await takeHold(tx, { tenant, now, id, sessionId, slotId, expiresAt: now + HOLD_MS })
    const held = await tx.get(
      'select customer from site_slot_holds where tenant = ? and slot_id = ?',
      tenant,
      slotId,
    )
    await tx.run(
      `insert into site_bookings (tenant, id, slot_id, session, state, title, starts_at, ends_at, time_zone, price, currency, policy, free_hours, late_fee, customer, notes, booked_at)
        values (?, ?, ?, ?, 'booked', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      tenant,
      id,
      slotId,
      sessionId,
      slot.title ?? null,
      slot.starts_at ?? null,
      slot.ends_at ?? null,
      slot.time_zone ?? null,
      price.amount,
      price.currency,
      slot.policy ?? null,
      slot.free_hours ?? null,
      slot.fee ?? null,
      held?.customer ?? null,
      notes ?? null,
      now,
    )
    await tx.run('delete from site_slot_holds where tenant = ? and slot_id = ?', tenant, slotId)
    return { bookingId: id }
  },
)

export const bookOwnSlot = defineTool({
  id: 'site.book_own_slot',
  title: 'Book a slot of our own',
  category: 'site',
  description: 'Books a published slot for good. Part of booking.bookSlot.',
  input: Book,
  output: z.object({ bookingId: z.string() }),
  contract: slotWrite,
  examples: [
    {
      name: 'a fitting',
      input: {
        sessionId: 'ses_0123456789abcdef',
        slotId: 'slot_fitting_1',
        expectedPrice: { amount: 4000, currency: 'EUR' },
      },
    },
  ],
  transaction: transact(book, writeRequest<BookInput>('bkg')),
})

const Cancel = z.object({
  sessionId: SessionId,
  bookingId: z.string().max(128),
  fee: z.int().min(0).describe('What the visitor has approved, in minor units.'),
})
type CancelInput = z.output<typeof Cancel>

const cancel = defineTransaction(
  'site.cancel_own_booking',
  async (tx, { tenant, now, input }: WriteRequest<CancelInput>) => {
    const { sessionId, bookingId, fee } = input
    const booking = await tx.get(
      'select * from site_bookings where tenant = ? and id = ? and session = ?',
      tenant,
      bookingId,
      sessionId,
    )
    if (booking === undefined)
      throw new ToolError('TOOL_RESOURCE_NOT_FOUND', `There is no booking ${bookingId}.`)
    if (booking.state === 'booked' && cancellationFee(booking, now) !== fee)
      throw new ToolError(
        'TOOL_GATE_CLOSED',
        'A cancellation costs something else by now. Nothing was cancelled; ask the visitor again.',
        { details: { source_code: 'fee_changed' } },
      )
    await tx.run(
      "update site_bookings set state = 'cancelled', fee = ? where tenant = ? and id = ? and state = 'booked'",
      fee,
      tenant,
      bookingId,
    )
    return { bookingId }
  },
)

/** What a cancellation costs now, in minor units. */
export function cancellationFee(booking: Readonly<Record<string, unknown>>, now: number): number {
  const { free_hours: hours, starts_at: start, late_fee: fee } = booking
  const isFree = hours !== null && now <= Number(start) - Number(hours) * 3_600_000
  return isFree ? 0 : Number(fee)
}

export const cancelOwnBooking = defineTool({
  id: 'site.cancel_own_booking',
  title: 'Cancel a booking of our own',
  category: 'site',
  description: 'Cancels the booking of a published slot. Part of booking.cancelBooking.',
  input: Cancel,
  output: z.object({ bookingId: z.string() }),
  contract: slotWrite,
  examples: [
    {
      name: 'a fitting',
      input: { sessionId: 'ses_0123456789abcdef', bookingId: 'bkg_1', fee: 0 },
    },
  ],
  transaction: transact(cancel, writeRequest<CancelInput>('cnl')),
})

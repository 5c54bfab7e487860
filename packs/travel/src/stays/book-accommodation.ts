import { defineTool, ToolError } from '@surehand/core'
import { sha256 } from '@surehand/core/internal'
import { z } from 'zod'
import { contextOf } from '../travel-context.ts'
import { BookingFacts, formatAmount, isSameAmount, toBookingFacts } from './booking-facts.ts'
import { searchNotesPort } from './search-notes-port.ts'
import { hasNights, NO_NIGHTS, StayFields } from './stay-dates.ts'
import { guestRequired, priceChanged } from './stay-errors.ts'
import { BookedStay, StayGuest, staysPort } from './stays-port.ts'

export const bookAccommodation = defineTool({
  id: 'travel.bookAccommodation',
  title: 'Book a stay',
  category: 'travel',
  description:
    'Books a stay that travel.searchAccommodations found. The person is asked first and sees the total and the cancellation terms of this moment; nothing is booked before they approve. If the total changes before the booking, they are asked again.',
  aliases: ['bookAccommodation'],
  input: StayFields.extend({
    listingId: z.string().trim().min(1).max(500),
    sessionId: z.string().min(6).max(500).describe('Filled in by the runtime.'),
    guest: StayGuest.optional().describe('Who checks in, where the provider asks for it.'),
  }).refine(hasNights, NO_NIGHTS),
  output: BookedStay.extend({ bookedBy: z.string(), sessionId: z.string() }),
  fromCaller: { sessionId: 'session' },
  contract: {
    effect: 'writes.booking',
    reversible: false,
    idempotency: 'caller',
    auth: 'service',
    permissions: { roles: ['user'], capabilities: [{ name: 'travel.book', scope: 'self' }] },
    timeout: '60s',
    latencyBudget: '10s',
    retries: 0,
    // A refusal by the vendor, such as a stay that is gone, must not block the key for ever.
    onRefusal: 'release',
    approval: {
      facts: async ({ input, ports, caller, signal }): Promise<BookingFacts> => {
        const choice = { ...contextOf(caller), ...input }
        const [quote, seen] = await Promise.all([
          ports.stays.quote(choice, signal),
          ports.notes.find(choice, signal),
        ])
        // Before a person is asked to approve what would be refused.
        if (quote.needsGuest === true && input.guest === undefined) throw guestRequired()
        return toBookingFacts(quote, seen)
      },
      asks: (_input, { stay, checkin, checkout, guests, total, refundable }: BookingFacts) =>
        `Book ${stay} from ${checkin} to ${checkout} for ${guests} ${guests === 1 ? 'guest' : 'guests'}, ${formatAmount(total)} in all (${refundable ? 'refundable under its terms' : 'not refundable'})?`,
      expires: '300s',
    },
  },
  ports: { stays: staysPort, notes: searchNotesPort },
  examples: [
    {
      name: 'a week for two',
      input: {
        listingId: 'stay_1',
        checkin: '2027-05-10',
        checkout: '2027-05-17',
        guests: 2,
        sessionId: 'session-1',
      },
    },
    {
      name: 'one night',
      input: {
        listingId: 'stay_2',
        checkin: '2027-06-01',
        checkout: '2027-06-02',
        sessionId: 'session-1',
      },
    },
  ],
  execute: async ({ input, caller, ports, facts, idempotencyKey, signal, report }) => {
    const { total } = BookingFacts.parse(facts)
    // Derived from the key: a call that is repeated after a crash finds its own booking by it.
    const reference = `bk_${sha256(idempotencyKey).slice(0, 24)}`
    report({ fraction: 0.1, message: 'Booking the stay' })
    const booked = await ports.stays.book(
      { ...contextOf(caller), ...input, reference, total, idempotencyKey },
      signal,
    )
    if (!isSameAmount(booked.total, total)) throw bookedAtAnotherPrice(booked, total)
    return { ...booked, bookedBy: caller.principal, sessionId: input.sessionId }
  },
})

// A provider that books at another price than it was told breaks the port's promise. The booking
// exists, so the message must not read like a failure.
function bookedAtAnotherPrice(booked: BookedStay, approved: BookingFacts['total']): ToolError {
  const { details } = priceChanged(approved, booked.total)
  return new ToolError(
    'TOOL_OUTCOME_UNKNOWN',
    `The stay was booked as ${booked.reference}, but for ${formatAmount(booked.total)} instead of the approved ${formatAmount(approved)}. Look at it with travel.listBookings, and cancel it with travel.cancelBooking if it is not wanted.`,
    { effect: 'possible', details: { ...details, reference: booked.reference } },
  )
}

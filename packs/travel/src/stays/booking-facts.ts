import { z } from 'zod'
import type { SearchNote } from './search-notes-port.ts'
import { nightsOf } from './stay-dates.ts'
import { Amount, type StayQuote } from './stays-port.ts'

/** What a person approves with a booking, beside its input. */
export const BookingFacts = z.object({
  stay: z.string(),
  address: z.string().optional(),
  room: z.string().optional(),
  checkin: z.string(),
  checkout: z.string(),
  nights: z.int(),
  guests: z.int(),
  total: Amount,
  due_at_property: Amount.optional(),
  refundable: z.boolean(),
  cancellation: z.array(z.string()),
  since_search: z.string(),
  provider: z.string(),
})
export type BookingFacts = z.output<typeof BookingFacts>

/** The facts of an approval: the quote of this moment, and what has changed since the search. */
export function toBookingFacts(quote: StayQuote, seen: SearchNote | undefined): BookingFacts {
  return {
    stay: quote.name,
    ...(quote.address === undefined ? {} : { address: quote.address }),
    ...(quote.roomType === undefined ? {} : { room: quote.roomType }),
    checkin: quote.checkin,
    checkout: quote.checkout,
    nights: nightsOf(quote),
    guests: quote.guests,
    total: quote.total,
    ...(quote.dueAtProperty === undefined ? {} : { due_at_property: quote.dueAtProperty }),
    refundable: quote.cancellation.refundable,
    cancellation: [...quote.cancellation.terms],
    since_search: describeChange(quote.total, seen),
    provider: quote.provider,
  }
}

function describeChange(total: Amount, seen: SearchNote | undefined): string {
  if (seen === undefined) return 'There is no search of the last 24 hours to compare with.'
  if (isSameAmount(total, seen.total)) return 'The total is the one that your search showed.'
  return `Your search of ${seen.day} showed ${formatAmount(seen.total)}.`
}

/** Is it the same amount? Vendors write 420 and 420.00. */
export function isSameAmount(left: Amount, right: Amount): boolean {
  return left.currency === right.currency && Number(left.amount) === Number(right.amount)
}

export function formatAmount({ amount, currency }: Amount): string {
  return `${amount} ${currency}`
}

import { definePort, lookUp, sameKey } from '@surehand/core'
import { z } from 'zod'
import type { SearchContext, TravelContext } from '../travel-context.ts'

/** A stay that a search found. `price` is for one night, which is what plans compare and cost. */
export const StayListing = z.object({
  listingId: z.string().describe('For travel.bookAccommodation.'),
  name: z.string(),
  price: z.number().optional().describe('For one night, in the currency.'),
  totalPrice: z.number().optional().describe('For the whole stay.'),
  currency: z.string().optional(),
  rating: z.number().optional().describe('0 to 5.'),
  reviewCount: z.int().optional(),
  address: z.string().optional(),
  lat: z.number().optional(),
  lon: z.number().optional(),
  url: z.string().optional(),
  roomType: z.string().optional(),
  maxGuests: z.int().optional(),
  amenities: z.array(z.string()).optional(),
  cancellation: z.string().optional().describe('The terms in one sentence.'),
  bookable: z
    .boolean()
    .describe('False: it can be looked at, and must be booked at the address in `url`.'),
})
export type StayListing = z.output<typeof StayListing>

/** The dates and guests of a stay. */
export type StayDates = {
  readonly checkin: string
  readonly checkout: string
  readonly guests: number
}

export type StaySearch = SearchContext &
  StayDates & {
    readonly location: string
    /** For one night, in the currency. */
    readonly priceMin?: number | undefined
    readonly priceMax?: number | undefined
    /** The currency to prefer; a vendor that cannot choose answers in its own. */
    readonly currency?: string | undefined
  }

export type StayAnswer = {
  readonly listings: readonly StayListing[]
  /** `duffel`, `mcp:NAME`, or `timetable` for stays and prices that a model computed. */
  readonly provider: string
  /** True: these stays do not exist. */
  readonly estimated: boolean
}

/** An amount as text, as vendors write it, so that no rounding changes what was approved. */
export const Amount = z.object({
  amount: z.string().regex(/^\d+(?:\.\d{1,4})?$/),
  currency: z.string(),
})
export type Amount = z.output<typeof Amount>

export type StayChoice = TravelContext & StayDates & { readonly listingId: string }

/**
 * What booking a stay would cost at this moment. Its fields are facts of an approval: nothing in it
 * may be new at every reading, such as the id or the time of a quote.
 */
export type StayQuote = StayDates & {
  readonly listingId: string
  readonly name: string
  readonly address?: string | undefined
  readonly total: Amount
  /** The part of the total that is paid at the property. */
  readonly dueAtProperty?: Amount | undefined
  readonly roomType?: string | undefined
  readonly cancellation: Cancellation
  /** True: the provider books only with the data of the guest. */
  readonly needsGuest?: boolean
  readonly provider: string
}

export type Cancellation = {
  readonly refundable: boolean
  /** What the provider says, line by line. */
  readonly terms: readonly string[]
}

/** Who checks in. Some vendors demand it. */
export const StayGuest = z.object({
  givenName: z.string().trim().min(1).max(100),
  familyName: z.string().trim().min(1).max(100),
  email: z.email().max(254),
  phoneNumber: z.string().trim().min(5).max(30),
})
export type StayGuest = z.output<typeof StayGuest>

export type StayOrder = StayChoice & {
  /** Our own reference, `bk_…`: stored at the provider, so that the booking is found by it. */
  readonly reference: string
  readonly sessionId: string
  /** The total that was approved. With another one nothing is booked: `priceChanged`. */
  readonly total: Amount
  readonly guest?: StayGuest | undefined
  readonly idempotencyKey: string
}

export const BOOKING_STATES = ['confirmed', 'pending', 'cancelled'] as const

/** A booking as the provider has it. */
export const BookedStay = z.object({
  reference: z.string(),
  /** The provider's own id. */
  bookingId: z.string(),
  confirmation: z.string().optional().describe('What the property asks for at arrival.'),
  status: z.enum(BOOKING_STATES),
  listingId: z.string(),
  name: z.string(),
  address: z.string().optional(),
  lat: z.number().optional(),
  lon: z.number().optional(),
  checkin: z.string(),
  checkout: z.string(),
  guests: z.int(),
  total: Amount,
  cancellation: z.object({ refundable: z.boolean(), terms: z.array(z.string()) }),
  /** What a cancellation at this moment returns; of a cancelled booking: what it returned. */
  refund: Amount.optional(),
  bookedAt: z.string().optional(),
  provider: z.string(),
})
export type BookedStay = z.output<typeof BookedStay>

export type BookingName = TravelContext & { readonly reference: string }

/**
 * Stays: search, quote, booking. The bookings of other people are as if they did not exist. A stay
 * that is gone is `TOOL_RESOURCE_NOT_FOUND` with `source_code: 'listing_unavailable'`.
 */
export type StaysPort = {
  readonly search: (search: StaySearch, signal: AbortSignal) => Promise<StayAnswer>
  readonly quote: (choice: StayChoice, signal: AbortSignal) => Promise<StayQuote>
  /**
   * Books. The provider quotes once more and throws `priceChanged` where the total differs from the
   * one that was approved.
   */
  readonly book: (order: StayOrder, signal: AbortSignal) => Promise<BookedStay>
  /** The booking with the reference of an order, for orders whose outcome is unknown. */
  readonly findBooking: (
    query: { readonly idempotencyKey: string; readonly args: StayOrder },
    signal: AbortSignal,
  ) => Promise<BookedStay | null>
  /** Undefined where this person has no booking with the reference. */
  readonly get: (name: BookingName, signal: AbortSignal) => Promise<BookedStay | undefined>
  /** The bookings of this person, the latest arrival first. */
  readonly list: (context: TravelContext, signal: AbortSignal) => Promise<readonly BookedStay[]>
  /** A booking that is cancelled already is returned as it is. */
  readonly cancel: (
    request: BookingName & { readonly idempotencyKey: string },
    signal: AbortSignal,
  ) => Promise<BookedStay>
}

// No vendor of stays deduplicates by a key for certain. So an order that failed unclearly is looked
// up by our reference. After two minutes no request of ours is under way any more.
export const staysPort = definePort<StaysPort>('travelStays', {
  search: 'read',
  quote: 'read',
  book: lookUp({ method: 'findBooking', settle: '2m' }),
  findBooking: 'read',
  get: 'read',
  list: 'read',
  cancel: sameKey({ validFor: '30d' }),
})

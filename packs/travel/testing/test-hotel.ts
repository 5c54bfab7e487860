import { ToolError } from '@surehand/core'
import { isSameAmount } from '../src/stays/booking-facts.ts'
import { nightsOf } from '../src/stays/stay-dates.ts'
import { bookingNotFound, listingUnavailable, priceChanged } from '../src/stays/stay-errors.ts'
import type {
  Amount,
  BookedStay,
  StayListing,
  StayOrder,
  StaysPort,
} from '../src/stays/stays-port.ts'

export type BookingFault =
  | 'none'
  | 'reset after commit'
  | 'lost before commit'
  | 'hang after commit'

/** A property that counts what is really booked, and can be told to fail. */
export type TestHotel = StaysPort & {
  readonly bookings: Map<string, BookedStay & { readonly owner: string }>
  /** The price of a night, by listing. */
  readonly prices: Map<string, number>
  fault: BookingFault
  /** Called before a booking is stored: a chance to change the price. */
  beforeBook: () => void
}

const TERMS = ['Free cancellation until two days before arrival.']

/** A provider of stays in memory, which keeps every promise of the port. */
export function openTestHotel(): TestHotel {
  const prices = new Map([
    ['stay_1', 90],
    ['stay_2', 120],
    ['stay_3', 60],
  ])
  const bookings: TestHotel['bookings'] = new Map()
  const ownOf = (reference: string, userId: string) => {
    const booking = bookings.get(reference)
    return booking?.owner === userId ? withoutOwner(booking) : undefined
  }
  const hotel: TestHotel = {
    bookings,
    prices,
    fault: 'none',
    beforeBook: () => undefined,
    async search({ checkin, checkout }) {
      const nights = nightsOf({ checkin, checkout })
      const listings = [...prices].map(([listingId, price]) => toListing(listingId, price, nights))
      return { listings, provider: 'hotel', estimated: true }
    },
    async quote({ listingId, checkin, checkout, guests }) {
      const price = prices.get(listingId)
      if (price === undefined) throw listingUnavailable(listingId)
      return {
        listingId,
        name: nameOf(listingId),
        checkin,
        checkout,
        guests,
        total: totalOf(price, nightsOf({ checkin, checkout })),
        cancellation: { refundable: true, terms: TERMS },
        provider: 'hotel',
      }
    },
    async book(order, signal) {
      hotel.beforeBook()
      if (hotel.fault === 'lost before commit')
        throw new ToolError('TOOL_NETWORK_ERROR', 'The hotel hung up.', { effect: 'possible' })
      const quote = await hotel.quote(order, signal)
      if (!isSameAmount(quote.total, order.total)) throw priceChanged(order.total, quote.total)
      const { reference } = order
      const booked = toBooking(order, quote.total, bookings.size + 1)
      if (bookings.has(reference)) throw new Error(`${reference} would be booked twice`)
      bookings.set(reference, booked)
      if (hotel.fault === 'reset after commit')
        throw new ToolError('TOOL_NETWORK_ERROR', 'The hotel hung up.', { effect: 'possible' })
      if (hotel.fault === 'hang after commit') return new Promise<never>(() => undefined)
      return withoutOwner(booked)
    },
    findBooking: async ({ args: { reference, userId } }) => ownOf(reference, userId) ?? null,
    get: async ({ reference, userId }) => ownOf(reference, userId),
    list: async ({ userId }) =>
      [...bookings.values()]
        .filter(({ owner }) => owner === userId)
        .map(withoutOwner)
        .reverse(),
    async cancel({ reference, userId }) {
      const booking = bookings.get(reference)
      if (booking === undefined || booking.owner !== userId) throw bookingNotFound(reference)
      bookings.set(reference, { ...booking, status: 'cancelled' })
      return withoutOwner({ ...booking, status: 'cancelled' })
    },
  }
  return hotel
}

function withoutOwner({ owner: _, ...booking }: BookedStay & { owner: string }): BookedStay {
  return booking
}

function toBooking(order: StayOrder, total: Amount, number: number) {
  const { reference, userId, listingId, checkin, checkout, guests } = order
  return {
    reference,
    bookingId: `hotel-${number}`,
    confirmation: `C${number}`,
    status: 'confirmed' as const,
    listingId,
    name: nameOf(listingId),
    checkin,
    checkout,
    guests,
    total,
    cancellation: { refundable: true, terms: TERMS },
    refund: total,
    provider: 'hotel',
    owner: userId,
  }
}

function nameOf(listingId: string): string {
  return `House ${listingId.at(-1)}`
}

function totalOf(price: number, nights: number) {
  return { amount: (price * nights).toFixed(2), currency: 'EUR' }
}

function toListing(listingId: string, price: number, nights: number): StayListing {
  return {
    listingId,
    name: nameOf(listingId),
    price,
    totalPrice: price * nights,
    currency: 'EUR',
    rating: 4 + price / 1000,
    lat: 38.71 + price / 10_000,
    lon: -9.14,
    bookable: true,
  }
}

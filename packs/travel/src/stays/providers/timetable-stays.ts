import { ToolError } from '@surehand/core'
import type { ValueStore } from '@surehand/core/ports'
import type { PlacesPort } from '@surehand/places'
import { z } from 'zod'
import type { TravelContext } from '../../travel-context.ts'
import { isSameAmount } from '../booking-facts.ts'
import { nightsOf } from '../stay-dates.ts'
import { bookingNotFound, listingUnavailable, priceChanged } from '../stay-errors.ts'
import {
  Amount,
  BookedStay,
  type StayChoice,
  type StayDates,
  type StayListing,
  type StayOrder,
  type StayQuote,
  type StaysPort,
} from '../stays-port.ts'
import {
  cancellationOf,
  type ExampleStay,
  exampleStays,
  findExampleStay,
  isAvailable,
  refundAt,
  totalOf,
} from './stay-model.ts'

const PROVIDER = 'timetable'
const MAX_ATTEMPTS = 20

const StoredBooking = z.object({
  bookedAt: z.string(),
  cancelledAt: z.string().nullable(),
  refunded: Amount.nullable(),
  booking: BookedStay.omit({ refund: true, status: true }),
})
type StoredBooking = z.output<typeof StoredBooking>

/**
 * Examples of stays that a model computes, for towns of the gazetteer. They do not exist, and their
 * names say so; booking one pays nothing. Bookings are stored, so that the way of a real booking can
 * be tried: quote, book, find, list, cancel.
 */
export function timetableStays(options: {
  readonly places: PlacesPort
  readonly values: Pick<ValueStore, 'get' | 'list' | 'replace'>
  readonly now: () => number
}): StaysPort {
  const { places, now } = options
  const bookings = storedBookings(options.values)
  return {
    async search({ tenant, location, currency, ...dates }, signal) {
      const place = await places.resolve({ tenant, query: location }, signal)
      const stays = place === null ? [] : exampleStays(place, currency)
      return {
        listings: stays
          .filter((stay) => isAvailable(stay, dates))
          .map((stay) => toListing(stay, dates)),
        provider: PROVIDER,
        estimated: true,
      }
    },
    quote: async (choice) => toQuote(requireStay(choice), choice),
    async book(order) {
      const stay = requireStay(order)
      const { total } = toQuote(stay, order)
      if (!isSameAmount(total, order.total)) throw priceChanged(order.total, total)
      const stored = await bookings.add(order, {
        bookedAt: new Date(now()).toISOString(),
        cancelledAt: null,
        refunded: null,
        booking: toBooking(stay, order, total),
      })
      return toBookedStay(stored, now())
    },
    async findBooking({ args }) {
      const stored = await bookings.get(args)
      return stored === undefined ? null : toBookedStay(stored, now())
    },
    async get(name) {
      const stored = await bookings.get(name)
      return stored === undefined ? undefined : toBookedStay(stored, now())
    },
    async list(context) {
      return (await bookings.list(context))
        .map((stored) => toBookedStay(stored, now()))
        .sort((left, right) => (left.checkin < right.checkin ? 1 : -1))
    },
    async cancel(name) {
      const nowMs = now()
      const stored = await bookings.change(name, (one) => cancelStored(one, nowMs))
      if (stored === undefined) throw bookingNotFound(name.reference)
      return toBookedStay(stored, nowMs)
    },
  }
}

function requireStay(choice: StayChoice): ExampleStay {
  const stay = findExampleStay(choice.listingId)
  if (stay === undefined || !isAvailable(stay, choice)) throw listingUnavailable(choice.listingId)
  return stay
}

function toListing(stay: ExampleStay, dates: StayDates): StayListing {
  const { amount, currency } = totalOf(stay, dates)
  const total = Number(amount)
  return {
    listingId: stay.listingId,
    name: stay.name,
    price: Math.round((total / nightsOf(dates)) * 100) / 100,
    totalPrice: total,
    currency,
    rating: stay.rating,
    reviewCount: stay.reviewCount,
    address: stay.town,
    lat: stay.lat,
    lon: stay.lon,
    roomType: stay.kind.roomType,
    maxGuests: stay.kind.guests,
    amenities: [...stay.amenities],
    cancellation: cancellationOf(stay, dates).terms[0] ?? '',
    bookable: true,
  }
}

function toQuote(stay: ExampleStay, choice: StayChoice): StayQuote {
  const { listingId, checkin, checkout, guests } = choice
  return {
    listingId,
    checkin,
    checkout,
    guests,
    name: stay.name,
    address: stay.town,
    total: totalOf(stay, choice),
    roomType: stay.kind.roomType,
    cancellation: cancellationOf(stay, choice),
    provider: PROVIDER,
  }
}

function toBooking(stay: ExampleStay, order: StayOrder, total: Amount): StoredBooking['booking'] {
  const { reference, listingId, checkin, checkout, guests } = order
  const { refundable, terms } = cancellationOf(stay, order)
  return {
    reference,
    bookingId: `example_${reference}`,
    confirmation: reference.slice(-8).toUpperCase(),
    listingId,
    name: stay.name,
    address: stay.town,
    lat: stay.lat,
    lon: stay.lon,
    checkin,
    checkout,
    guests,
    total,
    cancellation: { refundable, terms: [...terms] },
    provider: PROVIDER,
  }
}

function refundOf({ booking }: StoredBooking, atMs: number): Amount {
  const stay = findExampleStay(booking.listingId)
  const nothing = { amount: '0.00', currency: booking.total.currency }
  return stay === undefined ? nothing : refundAt(stay, booking, atMs)
}

function cancelStored(stored: StoredBooking, atMs: number): StoredBooking {
  if (stored.cancelledAt !== null) return stored
  return {
    ...stored,
    cancelledAt: new Date(atMs).toISOString(),
    refunded: refundOf(stored, atMs),
  }
}

function toBookedStay(stored: StoredBooking, atMs: number): BookedStay {
  const { booking, bookedAt, cancelledAt, refunded } = stored
  return {
    ...booking,
    status: cancelledAt === null ? 'confirmed' : 'cancelled',
    refund: refunded ?? refundOf(stored, atMs),
    bookedAt,
  }
}

type StoredName = TravelContext & { readonly reference: string }

function storedBookings(values: Pick<ValueStore, 'get' | 'list' | 'replace'>) {
  const parse = (text: string): StoredBooking => StoredBooking.parse(JSON.parse(text))

  async function get(name: StoredName): Promise<StoredBooking | undefined> {
    const text = await values.get(name.tenant, keyOf(name))
    return text === undefined ? undefined : parse(text)
  }

  return {
    get,
    async list({ tenant, userId }: TravelContext): Promise<readonly StoredBooking[]> {
      const found = await values.list(tenant, prefixOf(userId))
      return found.map(({ value }) => parse(value))
    },
    /** Of two orders with one reference, the first is stored and both get it. */
    async add(name: StoredName, stored: StoredBooking): Promise<StoredBooking> {
      const value = JSON.stringify(stored)
      const isNew = await values.replace(name.tenant, keyOf(name), { expected: undefined, value })
      return isNew ? stored : ((await get(name)) ?? stored)
    },
    async change(
      name: StoredName,
      apply: (stored: StoredBooking) => StoredBooking,
    ): Promise<StoredBooking | undefined> {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const expected = await values.get(name.tenant, keyOf(name))
        if (expected === undefined) return undefined
        const stored = apply(parse(expected))
        const change = { expected, value: JSON.stringify(stored) }
        if (await values.replace(name.tenant, keyOf(name), change)) return stored
      }
      throw new ToolError(
        'TOOL_EXTERNAL_SERVICE_ERROR',
        'The booking is being changed by other calls, and was not changed. Try again.',
        { effect: 'none' },
      )
    },
  }
}

function prefixOf(userId: string): string {
  return `travel/booking/${encodeURIComponent(userId)}/`
}

function keyOf({ userId, reference }: StoredName): string {
  return `${prefixOf(userId)}${encodeURIComponent(reference)}`
}

import { z } from 'zod'
import { nightsOf } from '../stay-dates.ts'
import type {
  Amount,
  BookedStay,
  Cancellation,
  StayChoice,
  StayDates,
  StayListing,
  StayQuote,
} from '../stays-port.ts'

const Rate = z.object({
  id: z.string(),
  total_amount: z.string(),
  total_currency: z.string(),
  due_at_accommodation_amount: z.string().nullish(),
  due_at_accommodation_currency: z.string().nullish(),
  board_type: z.string().nullish(),
  available_payment_methods: z.array(z.string()).nullish(),
  loyalty_programme_required: z.boolean().nullish(),
  cancellation_timeline: z
    .array(z.object({ before: z.string(), refund_amount: z.string(), currency: z.string() }))
    .nullish(),
  conditions: z.array(z.object({ title: z.string(), description: z.string() })).nullish(),
})
export type DuffelRate = z.output<typeof Rate>

const Accommodation = z.object({
  id: z.string(),
  name: z.string(),
  rating: z.number().nullish(),
  review_score: z.number().nullish(),
  review_count: z.int().nullish(),
  amenities: z.array(z.object({ type: z.string(), description: z.string() })).nullish(),
  location: z.object({
    address: z.object({
      line_one: z.string().nullish(),
      postal_code: z.string().nullish(),
      city_name: z.string().nullish(),
      country_code: z.string().nullish(),
    }),
    geographic_coordinates: z.object({ latitude: z.number(), longitude: z.number() }).nullish(),
  }),
  rooms: z.array(z.object({ name: z.string(), rates: z.array(Rate).default([]) })).default([]),
})
type Accommodation = z.output<typeof Accommodation>

const SearchResult = z.object({
  id: z.string(),
  accommodation: Accommodation,
  cheapest_rate_total_amount: z.string().nullish(),
  cheapest_rate_currency: z.string().nullish(),
})
type SearchResult = z.output<typeof SearchResult>
export const SearchAnswer = z.object({ data: z.object({ results: z.array(SearchResult) }) })

const Quote = z.object({
  id: z.string(),
  accommodation: Accommodation,
  total_amount: z.string(),
  total_currency: z.string(),
  due_at_accommodation_amount: z.string().nullish(),
  due_at_accommodation_currency: z.string().nullish(),
})
export const QuoteAnswer = z.object({ data: Quote })

const Booking = z.object({
  id: z.string(),
  status: z.string(),
  reference: z.string().nullish(),
  accommodation: Accommodation,
  check_in_date: z.string(),
  check_out_date: z.string(),
  confirmed_at: z.string().nullish(),
  cancelled_at: z.string().nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
})
export type DuffelBooking = z.output<typeof Booking>
export const BookingAnswer = z.object({ data: Booking })
export const BookingsAnswer = z.object({
  data: z.array(Booking),
  meta: z.object({ after: z.string().nullish() }).nullish(),
})

/**
 * The cheapest rate that our balance can pay; of equal ones the one with the most generous
 * cancellation. The choice must be the same each time: it is a fact of an approval.
 */
export function chooseRate(
  accommodation: Accommodation,
): { readonly rate: DuffelRate; readonly roomType: string } | undefined {
  const rates = accommodation.rooms.flatMap((room) =>
    room.rates.map((rate) => ({ rate, roomType: room.name })),
  )
  const payable = rates.filter(
    ({ rate }) =>
      rate.loyalty_programme_required !== true &&
      (rate.available_payment_methods ?? ['balance']).includes('balance'),
  )
  return payable.toSorted(
    (left, right) =>
      Number(left.rate.total_amount) - Number(right.rate.total_amount) ||
      (right.rate.cancellation_timeline?.length ?? 0) -
        (left.rate.cancellation_timeline?.length ?? 0) ||
      (left.roomType < right.roomType ? -1 : 1),
  )[0]
}

export function toListing(result: SearchResult, dates: StayDates): StayListing {
  const { accommodation, cheapest_rate_total_amount, cheapest_rate_currency } = result
  const { review_score, rating, review_count, amenities } = accommodation
  const total = cheapest_rate_total_amount == null ? undefined : Number(cheapest_rate_total_amount)
  const nights = nightsOf(dates)
  // Review scores are from 1 to 10.
  const stars = review_score == null ? rating : Math.round(review_score * 5) / 10
  return {
    listingId: accommodation.id,
    name: accommodation.name,
    ...(total === undefined
      ? {}
      : { price: Math.round((total / nights) * 100) / 100, totalPrice: total }),
    ...(cheapest_rate_currency == null ? {} : { currency: cheapest_rate_currency }),
    ...(stars == null ? {} : { rating: stars }),
    ...(review_count == null ? {} : { reviewCount: review_count }),
    ...placeOf(accommodation),
    ...(amenities == null ? {} : { amenities: amenities.map(({ description }) => description) }),
    bookable: true,
  }
}

function placeOf({ location }: Accommodation) {
  const { line_one, postal_code, city_name, country_code } = location.address
  const parts = [line_one, postal_code, city_name, country_code]
  const point = location.geographic_coordinates
  return {
    address: parts.filter((part) => part != null && part !== '').join(', '),
    ...(point == null ? {} : { lat: point.latitude, lon: point.longitude }),
  }
}

export function toQuote(quoted: {
  readonly quote: z.output<typeof Quote>
  readonly choice: StayChoice
  readonly roomType: string
  readonly rate: DuffelRate
}): StayQuote {
  const { quote, choice, roomType, rate } = quoted
  const due = quote.due_at_accommodation_amount
  return {
    listingId: choice.listingId,
    checkin: choice.checkin,
    checkout: choice.checkout,
    guests: choice.guests,
    name: quote.accommodation.name,
    address: placeOf(quote.accommodation).address,
    total: { amount: quote.total_amount, currency: quote.total_currency },
    ...(due == null || Number(due) === 0
      ? {}
      : {
          dueAtProperty: {
            amount: due,
            currency: quote.due_at_accommodation_currency ?? quote.total_currency,
          },
        }),
    roomType,
    cancellation: toCancellation(rate),
    needsGuest: true,
    provider: 'duffel',
  }
}

export function toCancellation(rate: DuffelRate | undefined): Cancellation {
  const timeline = rate?.cancellation_timeline ?? []
  const refunds = timeline.map(
    ({ before, refund_amount, currency }) =>
      `Cancelled before ${before}: ${refund_amount} ${currency} is refunded.`,
  )
  const conditions = (rate?.conditions ?? []).map(
    ({ title, description }) => `${title}: ${description}`,
  )
  return {
    refundable: timeline.some(({ refund_amount }) => Number(refund_amount) > 0),
    terms: [...(refunds.length === 0 ? ['This rate is not refundable.'] : refunds), ...conditions],
  }
}

/** The timeline is in order of time: the first entry that is not over applies. */
function refundAt(rate: DuffelRate | undefined, atMs: number, total: Amount): Amount {
  const entry = (rate?.cancellation_timeline ?? []).find(({ before }) => atMs < Date.parse(before))
  return entry === undefined
    ? { amount: '0.00', currency: total.currency }
    : { amount: entry.refund_amount, currency: entry.currency }
}

export function toBookedStay(booking: DuffelBooking, nowMs: number): BookedStay {
  const { accommodation, metadata, cancelled_at, confirmed_at } = booking
  const rate = accommodation.rooms[0]?.rates[0]
  const [amount = '0', currency = 'USD'] = (metadata?.surehand_total ?? '').split(' ')
  const total =
    rate === undefined
      ? { amount, currency }
      : { amount: rate.total_amount, currency: rate.total_currency }
  const atMs = cancelled_at == null ? nowMs : Date.parse(cancelled_at)
  const { refundable, terms } = toCancellation(rate)
  return {
    reference: metadata?.surehand_reference ?? booking.id,
    bookingId: booking.id,
    ...(booking.reference == null ? {} : { confirmation: booking.reference }),
    status: statusOf(booking.status),
    listingId: accommodation.id,
    name: accommodation.name,
    ...placeOf(accommodation),
    checkin: booking.check_in_date,
    checkout: booking.check_out_date,
    guests: Number(metadata?.surehand_guests ?? 1),
    total,
    cancellation: { refundable, terms: [...terms] },
    refund: refundAt(rate, atMs, total),
    ...(confirmed_at == null ? {} : { bookedAt: confirmed_at }),
    provider: 'duffel',
  }
}

function statusOf(status: string): BookedStay['status'] {
  if (status === 'confirmed') return 'confirmed'
  return status === 'cancelled' ? 'cancelled' : 'pending'
}

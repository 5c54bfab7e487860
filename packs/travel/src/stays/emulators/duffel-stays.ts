import type { EffectLog, EmulatorReply, EmulatorRequest, EmulatorRoute } from '@surehand/testing'
import {
  cancellationOf,
  type ExampleStay,
  exampleStays,
  findExampleStay,
  isAvailable,
  totalOf,
} from '../providers/stay-model.ts'
import type { StayDates } from '../stays-port.ts'

/**
 * Duffel Stays v2 with examples of stays around any point. `POST /emulator/prices { factor }` changes
 * all prices from then on, as a vendor may between a search and a booking.
 */
export const routes: readonly EmulatorRoute[] = [
  { method: 'POST', path: '/stays/search', handle: requireToken(search) },
  {
    method: 'POST',
    path: '/stays/search_results/:id/actions/fetch_all_rates',
    handle: requireToken(fetchAllRates),
  },
  { method: 'POST', path: '/stays/quotes', handle: requireToken(createQuote) },
  { method: 'GET', path: '/stays/quotes/:id', handle: requireToken(getQuote) },
  { method: 'POST', path: '/stays/bookings', handle: requireToken(createBooking) },
  { method: 'GET', path: '/stays/bookings', handle: requireToken(listBookings) },
  { method: 'GET', path: '/stays/bookings/:id', handle: requireToken(getBooking) },
  {
    method: 'POST',
    path: '/stays/bookings/:id/actions/cancel',
    handle: requireToken(cancelBooking),
  },
  { method: 'POST', path: '/emulator/prices', handle: changePrices },
]

type Handle = EmulatorRoute['handle']

/** Checks what every endpoint of Duffel asks for: a token and the version. */
export function requireToken(handle: Handle): Handle {
  return (request, log) => {
    if (!/^Bearer .+/.test(request.headers.authorization ?? ''))
      return refuse(401, 'access_token_not_found', 'The access token is missing.')
    if (request.headers['duffel-version'] !== 'v2')
      return refuse(
        400,
        'unsupported_version',
        'The version set to the header is no longer supported.',
      )
    return handle(request, log)
  }
}

/** An error in Duffel's shape. */
export function refuse(status: number, code: string, message: string): EmulatorReply {
  const type = status === 422 ? 'validation_error' : 'invalid_request_error'
  const documentation_url = 'https://duffel.com/docs/api/overview/errors'
  return {
    status,
    body: {
      meta: { status, request_id: 'emulated' },
      errors: [{ type, title: message, message, documentation_url, code }],
    },
  }
}

type Offer = { readonly stay: ExampleStay; readonly dates: StayDates }
type Quoted = { readonly id: string; readonly rateId: string; readonly total: string }
type Booked = {
  readonly id: string
  readonly quoteId: string
  readonly at: string
  readonly payload: Readonly<Record<string, unknown>>
}
type StayEffect =
  | ({ readonly kind: 'quote' } & Quoted)
  | ({ readonly kind: 'booking' } & Booked)
  | { readonly kind: 'cancellation'; readonly id: string; readonly at: string }
  | { readonly kind: 'prices'; readonly factor: number }

function effectsOf(log: EffectLog): readonly StayEffect[] {
  return log.effects().map(({ effect }) => effect as StayEffect)
}

function changePrices(request: EmulatorRequest): EmulatorReply {
  const { factor } = request.json() as { factor: number }
  return { status: 204, effect: { kind: 'prices', factor } }
}

function factorIn(log: EffectLog): number {
  return effectsOf(log).reduce((factor, one) => (one.kind === 'prices' ? one.factor : factor), 1)
}

function priceOf({ stay, dates }: Offer, log: EffectLog): string {
  return (Number(totalOf(stay, dates).amount) * factorIn(log)).toFixed(2)
}

function bodyOf(request: EmulatorRequest): Readonly<Record<string, unknown>> {
  const { data } = request.json() as { data?: Readonly<Record<string, unknown>> }
  return data ?? {}
}

function search(request: EmulatorRequest, log: EffectLog): EmulatorReply {
  const data = bodyOf(request) as {
    check_in_date?: string
    check_out_date?: string
    rooms?: number
    guests?: readonly unknown[]
    location?: { radius: number; geographic_coordinates: { latitude: number; longitude: number } }
    accommodation?: { ids: readonly string[]; fetch_rates?: boolean }
  }
  const { check_in_date: checkin = '', check_out_date: checkout = '', guests = [] } = data
  if (checkin === '' || checkout <= checkin || guests.length === 0 || data.rooms === undefined)
    return refuse(422, 'invalid', 'The dates, rooms or guests are invalid.')
  const dates = { checkin, checkout, guests: guests.length }
  const point = data.location?.geographic_coordinates
  const stays =
    point === undefined
      ? (data.accommodation?.ids ?? []).flatMap((id) => findStay(id) ?? [])
      : exampleStays({
          placeId: '',
          formattedAddress: 'Duffel City',
          location: { lat: point.latitude, lng: point.longitude },
          precision: 'place',
          provider: 'emulator',
        })
  const offers = stays.filter((stay) => isAvailable(stay, dates)).map((stay) => ({ stay, dates }))
  const withRates = data.accommodation?.fetch_rates === true
  const results = offers.map((offer) => toResult(offer, log, withRates ? 'rates' : 'no rates'))
  return { body: { data: { results, created_at: new Date().toISOString() } } }
}

function findStay(accommodationId: string): ExampleStay | undefined {
  return findExampleStay(accommodationId.replace(/^acc_/, 'example_'))
}

// Ids carry what they stand for, so that a search needs no storage.
function encodeId(prefix: string, { stay, dates }: Offer): string {
  const text = JSON.stringify([stay.listingId, dates.checkin, dates.checkout, dates.guests])
  return `${prefix}_${Buffer.from(text).toString('base64url')}`
}

function decodeId(id: string): Offer | undefined {
  try {
    const text = Buffer.from(id.replace(/^[a-z]+_/, ''), 'base64url').toString('utf8')
    const [listingId, checkin, checkout, guests] = JSON.parse(text)
    const stay = findExampleStay(listingId)
    return stay === undefined ? undefined : { stay, dates: { checkin, checkout, guests } }
  } catch {
    return undefined
  }
}

function toResult(offer: Offer, log: EffectLog, rates: 'rates' | 'no rates'): object {
  const { dates } = offer
  const total = priceOf(offer, log)
  return {
    id: encodeId('srr', offer),
    check_in_date: dates.checkin,
    check_out_date: dates.checkout,
    rooms: 1,
    guests: Array.from({ length: dates.guests }, () => ({ type: 'adult' })),
    accommodation: toAccommodation(offer, total, rates),
    cheapest_rate_total_amount: total,
    cheapest_rate_currency: 'USD',
    cheapest_rate_base_amount: total,
    cheapest_rate_base_currency: 'USD',
    cheapest_rate_public_amount: null,
    cheapest_rate_public_currency: 'USD',
    cheapest_rate_due_at_accommodation_amount: '0.00',
    cheapest_rate_due_at_accommodation_currency: 'USD',
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  }
}

function toAccommodation(offer: Offer, total: string, rates: 'rates' | 'no rates'): object {
  const { stay } = offer
  return {
    id: stay.listingId.replace(/^example_/, 'acc_'),
    name: stay.name,
    description: 'A stay of the emulator. It does not exist.',
    amenities: stay.amenities.map((type) => ({ type, description: type })),
    ratings: null,
    rating: Math.round(stay.rating),
    review_score: Math.round(stay.rating * 20) / 10,
    review_count: stay.reviewCount,
    chain: null,
    brand: null,
    email: null,
    phone_number: null,
    key_collection: null,
    photos: [],
    supported_loyalty_programme: null,
    check_in_information: { check_in_after_time: '15:00', check_out_before_time: '11:00' },
    location: {
      address: {
        line_one: '1 Example Street',
        postal_code: '0000',
        city_name: stay.town,
        country_code: 'PT',
      },
      geographic_coordinates: { latitude: stay.lat, longitude: stay.lon },
    },
    rooms: [
      {
        name: stay.kind.roomType,
        beds: [{ type: 'double', count: 1 }],
        photos: [],
        rates: rates === 'rates' ? [toRate(offer, total)] : [],
      },
    ],
  }
}

function toRate(offer: Offer, total: string): object {
  const { stay, dates } = offer
  const until = new Date(Date.parse(dates.checkin) - 7 * 86_400_000).toISOString()
  return {
    id: encodeId('rat', offer),
    total_amount: total,
    total_currency: 'USD',
    base_amount: total,
    base_currency: 'USD',
    tax_amount: '0.00',
    tax_currency: 'USD',
    fee_amount: '0.00',
    fee_currency: 'USD',
    due_at_accommodation_amount: '0.00',
    due_at_accommodation_currency: 'USD',
    board_type: 'room_only',
    payment_type: 'pay_now',
    available_payment_methods: ['balance'],
    quantity_available: 3,
    supported_loyalty_programme: null,
    loyalty_programme_required: false,
    estimated_commission_amount: null,
    estimated_commission_currency: null,
    source: 'duffel_hotel_group',
    code: null,
    name: 'Best Available Rate',
    description: null,
    expires_at: new Date(Date.now() + 1_800_000).toISOString(),
    cancellation_timeline: stay.refundable
      ? [{ before: until, refund_amount: total, currency: 'USD' }]
      : [],
    conditions: cancellationOf(stay, dates).terms.map((description) => ({
      title: 'Cancellation',
      description,
    })),
  }
}

function fetchAllRates(request: EmulatorRequest, log: EffectLog): EmulatorReply {
  const offer = decodeId(request.params.id ?? '')
  return offer === undefined
    ? refuse(404, 'not_found', 'The search result was not found.')
    : { body: { data: toResult(offer, log, 'rates') } }
}

function createQuote(request: EmulatorRequest, log: EffectLog): EmulatorReply {
  const { rate_id: rateId = '' } = bodyOf(request) as { rate_id?: string }
  const offer = decodeId(rateId)
  if (offer === undefined || !isAvailable(offer.stay, offer.dates))
    return refuse(422, 'rate_unavailable', 'The rate is no longer available.')
  const count = effectsOf(log).filter(({ kind }) => kind === 'quote').length
  const quote = { id: `quo_${count + 1}`, rateId, total: priceOf(offer, log) }
  return { status: 201, body: { data: toQuote(quote) }, effect: { kind: 'quote', ...quote } }
}

function findQuote(id: string, log: EffectLog): Quoted | undefined {
  return effectsOf(log).find((one) => one.kind === 'quote' && one.id === id) as Quoted | undefined
}

function toQuote({ id, rateId, total }: Quoted): object {
  const offer = decodeId(rateId) as Offer
  const { dates } = offer
  return {
    id,
    check_in_date: dates.checkin,
    check_out_date: dates.checkout,
    accommodation: toAccommodation(offer, total, 'rates'),
    total_amount: total,
    total_currency: 'USD',
    base_amount: total,
    base_currency: 'USD',
    tax_amount: null,
    tax_currency: 'USD',
    fee_amount: null,
    fee_currency: 'USD',
    deposit_amount: null,
    deposit_currency: 'USD',
    due_at_accommodation_amount: '0.00',
    due_at_accommodation_currency: 'USD',
    supported_loyalty_programme: null,
    rooms: 1,
    guests: Array.from({ length: dates.guests }, () => ({ type: 'adult' })),
  }
}

function getQuote(request: EmulatorRequest, log: EffectLog): EmulatorReply {
  const quote = findQuote(request.params.id ?? '', log)
  return quote === undefined
    ? refuse(404, 'not_found', 'The quote was not found.')
    : { body: { data: toQuote(quote) } }
}

function createBooking(request: EmulatorRequest, log: EffectLog): EmulatorReply {
  const payload = bodyOf(request) as {
    quote_id?: string
    email?: string
    phone_number?: string
    guests?: readonly unknown[]
  }
  const quote = findQuote(payload.quote_id ?? '', log)
  if (quote === undefined) return refuse(422, 'invalid', 'The quote does not exist.')
  const { email = '', phone_number = '', guests = [] } = payload
  if (email === '' || phone_number === '' || guests.length === 0)
    return refuse(422, 'invalid', 'The e-mail address, phone number and guests are required.')
  const bookings = effectsOf(log).filter((one) => one.kind === 'booking')
  if (bookings.some(({ quoteId }) => quoteId === quote.id))
    return refuse(422, 'quote_already_used', 'The quote has been booked already.')
  const id = `bok_${bookings.length + 1}`
  const booked = { id, quoteId: quote.id, at: new Date().toISOString(), payload }
  return {
    status: 201,
    body: { data: toBooking(booked, log) },
    effect: { kind: 'booking', ...booked },
  }
}

function toBooking({ id, quoteId, at, payload }: Booked, log: EffectLog): object {
  const quote = findQuote(quoteId, log) as Quoted
  const offer = decodeId(quote.rateId) as Offer
  const cancelled = effectsOf(log).find((one) => one.kind === 'cancellation' && one.id === id)
  return {
    id,
    reference: `EMU-${id.slice(4)}`,
    status: cancelled === undefined ? 'confirmed' : 'cancelled',
    confirmed_at: at,
    cancelled_at: cancelled?.kind === 'cancellation' ? cancelled.at : null,
    accommodation: toAccommodation(offer, quote.total, 'rates'),
    check_in_date: offer.dates.checkin,
    check_out_date: offer.dates.checkout,
    rooms: 1,
    email: payload.email,
    phone_number: payload.phone_number,
    guests: payload.guests,
    metadata: payload.metadata ?? null,
    supported_loyalty_programme: null,
    loyalty_programme_account_number: null,
    key_collection: null,
    estimated_commission_amount: null,
    estimated_commission_currency: null,
  }
}

function bookingsIn(log: EffectLog): readonly Booked[] {
  return effectsOf(log).flatMap((one) => (one.kind === 'booking' ? [one] : []))
}

// In pages of at most 200, the newest first, with a cursor.
function listBookings({ query }: EmulatorRequest, log: EffectLog): EmulatorReply {
  const limit = Number(query.get('limit') ?? 50)
  if (limit < 1 || limit > 200) return refuse(422, 'invalid', 'The limit must be from 1 to 200.')
  const all = bookingsIn(log).toReversed()
  const start = Number(query.get('after') ?? 0)
  const end = start + limit
  const after = end < all.length ? String(end) : null
  return {
    body: {
      data: all.slice(start, end).map((one) => toBooking(one, log)),
      meta: { limit, before: null, after },
    },
  }
}

function findBooked(request: EmulatorRequest, log: EffectLog): Booked | undefined {
  return bookingsIn(log).find(({ id }) => id === request.params.id)
}

function getBooking(request: EmulatorRequest, log: EffectLog): EmulatorReply {
  const booked = findBooked(request, log)
  return booked === undefined
    ? refuse(404, 'not_found', 'The booking was not found.')
    : { body: { data: toBooking(booked, log) } }
}

function cancelBooking(request: EmulatorRequest, log: EffectLog): EmulatorReply {
  const booked = findBooked(request, log)
  if (booked === undefined) return refuse(404, 'not_found', 'The booking was not found.')
  if (effectsOf(log).some((one) => one.kind === 'cancellation' && one.id === booked.id))
    return refuse(422, 'already_cancelled', 'The booking is cancelled already.')
  const at = new Date().toISOString()
  const data = { ...toBooking(booked, log), status: 'cancelled', cancelled_at: at }
  return { body: { data }, effect: { kind: 'cancellation', id: booked.id, at } }
}

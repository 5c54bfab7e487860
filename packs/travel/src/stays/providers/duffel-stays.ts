import { createHash } from 'node:crypto'
import { isToolError, ToolError } from '@surehand/core'
import { sendJson, type VendorAccess } from '@surehand/vendors'
import type { z } from 'zod'
import type { GeocoderPort } from '../../maps/maps-ports.ts'
import { duffelRequest } from '../../providers/duffel-request.ts'
import type { TravelContext } from '../../travel-context.ts'
import { isSameAmount } from '../booking-facts.ts'
import { bookingNotFound, guestRequired, listingUnavailable, priceChanged } from '../stay-errors.ts'
import type {
  BookedStay,
  StayChoice,
  StayDates,
  StayGuest,
  StayOrder,
  StayQuote,
  StaysPort,
} from '../stays-port.ts'
import {
  BookingAnswer,
  BookingsAnswer,
  chooseRate,
  type DuffelBooking,
  QuoteAnswer,
  SearchAnswer,
  toBookedStay,
  toListing,
  toQuote,
} from './duffel-stays-shapes.ts'

const SEARCH_RADIUS_KM = 8
const PAGE = 200
const MAX_PAGES = 50

/**
 * Duffel Stays: search, rates, quote, booking, cancellation. A listing is an accommodation, and its
 * quote is that of its cheapest rate. Our reference and a hash of the owner are in the metadata of a
 * booking, by which it is found again.
 */
export function duffelStays(
  access: VendorAccess,
  { geocoder, now }: { readonly geocoder: GeocoderPort; readonly now: () => number },
): StaysPort {
  const api = createApi(access)
  return {
    async search({ location, ...search }, signal) {
      const [place] = await geocoder.geocode({ ...search, address: location }, signal)
      if (place === undefined) return { listings: [], provider: 'duffel', estimated: false }
      const { lat, lng } = place.location
      const around = {
        radius: SEARCH_RADIUS_KM,
        geographic_coordinates: { latitude: lat, longitude: lng },
      }
      const body = { ...toSearch(search), location: around }
      const results = await api.search(search.tenant, body, signal)
      const listings = results.map((result) => toListing(result, search))
      return { listings, provider: 'duffel', estimated: false }
    },
    quote: async (choice, signal) => (await quoteRate(api, choice, signal)).quote,
    async book(order, signal) {
      const { guest } = order
      if (guest === undefined) throw guestRequired()
      const { quoteId, quote } = await quoteRate(api, order, signal).catch(withoutEffect)
      if (!isSameAmount(quote.total, order.total)) throw priceChanged(order.total, quote.total)
      const { data } = await api.post(order.tenant, '/stays/bookings', BookingAnswer, {
        data: toPayload(quoteId, order, guest),
        signal,
      })
      return toBookedStay(data, now())
    },
    async findBooking({ args }, signal) {
      const found = await findOne(api, args, signal)
      return found === undefined ? null : toBookedStay(found, now())
    },
    async get(name, signal) {
      const found = await findOne(api, name, signal)
      return found === undefined ? undefined : toBookedStay(found, now())
    },
    async list(context, signal) {
      return (await findOwn(api, context, signal))
        .map((one) => toBookedStay(one, now()))
        .sort((left, right) => (left.checkin < right.checkin ? 1 : -1))
    },
    async cancel(name, signal): Promise<BookedStay> {
      const found = await findOne(api, name, signal)
      if (found === undefined) throw bookingNotFound(name.reference)
      if (found.status === 'cancelled') return toBookedStay(found, now())
      const path = `/stays/bookings/${encodeURIComponent(found.id)}/actions/cancel`
      const { data } = await api.post(name.tenant, path, BookingAnswer, { signal })
      return toBookedStay(data, now())
    },
  }
}

type Quoted = { readonly quoteId: string; readonly quote: StayQuote }
type Api = ReturnType<typeof createApi>

/** Quotes the cheapest rate of this moment. */
async function quoteRate(api: Api, choice: StayChoice, signal: AbortSignal): Promise<Quoted> {
  const { tenant, listingId } = choice
  const accommodation = { ids: [listingId], fetch_rates: true }
  const [result] = await api.search(tenant, { ...toSearch(choice), accommodation }, signal)
  const chosen = result === undefined ? undefined : chooseRate(result.accommodation)
  if (chosen === undefined) throw listingUnavailable(listingId)
  const { data } = await api.post(tenant, '/stays/quotes', QuoteAnswer, {
    data: { rate_id: chosen.rate.id },
    signal,
    onRefused: () => listingUnavailable(listingId),
  })
  return { quoteId: data.id, quote: toQuote({ quote: data, choice, ...chosen }) }
}

// A quote books nothing, whatever happened to its request: the order can be tried again.
function withoutEffect(thrown: unknown): never {
  if (!isToolError(thrown)) throw thrown
  const details = thrown.details ?? {}
  throw new ToolError(thrown.code, thrown.message, { effect: 'none', details, cause: thrown })
}

async function findOwn(
  api: Api,
  context: TravelContext,
  signal: AbortSignal,
): Promise<readonly DuffelBooking[]> {
  const owner = ownerHash(context)
  const all = await api.bookings(context.tenant, signal)
  return all.filter(({ metadata }) => metadata?.surehand_owner === owner)
}

async function findOne(
  api: Api,
  name: TravelContext & { readonly reference: string },
  signal: AbortSignal,
): Promise<DuffelBooking | undefined> {
  const own = await findOwn(api, name, signal)
  return own.find(({ metadata }) => metadata?.surehand_reference === name.reference)
}

function toSearch({ checkin, checkout, guests }: StayDates) {
  return {
    check_in_date: checkin,
    check_out_date: checkout,
    rooms: 1,
    guests: Array.from({ length: guests }, () => ({ type: 'adult' })),
  }
}

function toPayload(quoteId: string, order: StayOrder, guest: StayGuest) {
  return {
    quote_id: quoteId,
    guests: [{ given_name: guest.givenName, family_name: guest.familyName }],
    email: guest.email,
    phone_number: guest.phoneNumber,
    metadata: {
      surehand_reference: order.reference,
      surehand_owner: ownerHash(order),
      surehand_guests: String(order.guests),
      surehand_total: `${order.total.amount} ${order.total.currency}`,
    },
  }
}

// A hash: the vendor need not know who our tenants and users are.
function ownerHash({ tenant, userId }: TravelContext): string {
  return createHash('sha256')
    .update(JSON.stringify([tenant, userId]))
    .digest('hex')
    .slice(0, 40)
}

type PostOptions = {
  readonly data?: unknown
  readonly signal: AbortSignal
  /** The error where the vendor refuses the request as it is. */
  readonly onRefused?: () => ToolError
}

function createApi(access: VendorAccess) {
  async function post<S extends z.ZodType>(
    tenant: string,
    path: string,
    answer: S,
    { data, signal, onRefused }: PostOptions,
  ): Promise<z.output<S>> {
    const request = duffelRequest(access, { method: 'POST', path, data, signal })
    try {
      return await sendJson(access.fetchFor(tenant), request, answer)
    } catch (thrown) {
      const status = isToolError(thrown) ? thrown.details?.provider_status : undefined
      const isRefused = status === 404 || status === 410 || status === 422
      throw isRefused && onRefused !== undefined ? onRefused() : thrown
    }
  }

  return {
    post,
    async search(tenant: string, data: unknown, signal: AbortSignal) {
      return (await post(tenant, '/stays/search', SearchAnswer, { data, signal })).data.results
    },
    async bookings(tenant: string, signal: AbortSignal): Promise<readonly DuffelBooking[]> {
      const found: DuffelBooking[] = []
      let after: string | null | undefined
      for (let page = 0; page < MAX_PAGES; page++) {
        const query = new URLSearchParams({ limit: String(PAGE), ...(after ? { after } : {}) })
        const request = duffelRequest(access, { path: `/stays/bookings?${query}`, signal })
        const answer = await sendJson(access.fetchFor(tenant), request, BookingsAnswer)
        found.push(...answer.data)
        after = answer.meta?.after
        if (after === null || after === undefined) return found
      }
      return found
    },
  }
}

import { asServiceError, sendJson, type VendorAccess } from '@surehand/vendors'
import { z } from 'zod'
import { duffelRequest } from '../../providers/duffel-request.ts'
import { FlightOffer, type FlightsPort } from '../flights-port.ts'

// Airlines that answer later are left out of the offers.
const SUPPLIER_TIMEOUT_MS = 15_000

const OfferRequest = z.object({ data: z.object({ offers: z.array(FlightOffer) }) })
const Suggestions = z.object({
  data: z.array(
    z.object({
      type: z.enum(['airport', 'city']),
      name: z.string(),
      iata_code: z.string(),
      airports: z.array(z.object({ iata_code: z.string(), name: z.string() })).nullish(),
    }),
  ),
})

/** Duffel's flights API v2: an offer request with its offers. */
export function duffelFlights(access: VendorAccess): FlightsPort {
  return {
    async search(query, signal) {
      const { origin, destination, departureDate, returnDate, passengers, cabin } = query
      const slices = [
        { origin, destination, departure_date: departureDate },
        ...(returnDate === undefined
          ? []
          : [{ origin: destination, destination: origin, departure_date: returnDate }]),
      ]
      const request = duffelRequest(access, {
        method: 'POST',
        path: `/air/offer_requests?return_offers=true&supplier_timeout=${SUPPLIER_TIMEOUT_MS}`,
        data: {
          slices,
          passengers: Array.from({ length: passengers }, () => ({ type: 'adult' })),
          cabin_class: cabin,
        },
        signal,
      })
      const { data } = await sendJson(access.fetchFor(query.tenant), request, OfferRequest)
      return { offers: data.offers, provider: 'duffel', estimated: false }
    },
    async airportNear({ tenant, town }, signal) {
      const request = duffelRequest(access, {
        path: `/places/suggestions?${new URLSearchParams({ query: town })}`,
        signal,
      })
      const { data } = await sendJson(access.fetchFor(tenant), request, Suggestions).catch(
        asServiceError,
      )
      // A city has a code of its own, which searches all its airports.
      const found = data.find(({ type }) => type === 'city') ?? data[0]
      return found === undefined ? null : { iataCode: found.iata_code, name: found.name }
    },
  }
}

import { definePort } from '@surehand/core'
import { z } from 'zod'
import type { SearchContext } from '../travel-context.ts'

export const CABINS = ['economy', 'premium_economy', 'business', 'first'] as const
export type Cabin = (typeof CABINS)[number]

const Airport = z.looseObject({
  iata_code: z.string(),
  name: z.string().optional(),
  city_name: z.string().nullish(),
  time_zone: z.string().nullish(),
  latitude: z.number().nullish(),
  longitude: z.number().nullish(),
})

const Segment = z.looseObject({
  id: z.string().optional(),
  origin: Airport,
  destination: Airport,
  departing_at: z.string().describe('The local time at the origin, without an offset.'),
  arriving_at: z.string().describe('The local time at the destination, without an offset.'),
  marketing_carrier: z
    .looseObject({ name: z.string(), iata_code: z.string().nullish() })
    .optional(),
  marketing_carrier_flight_number: z.string().nullish(),
  duration: z.string().nullish(),
})

const Slice = z.looseObject({
  id: z.string().optional(),
  origin: Airport,
  destination: Airport,
  duration: z.string().nullish().describe('ISO 8601, as in PT2H26M.'),
  segments: z.array(Segment),
})

/** An offer in the shape of Duffel v2; further fields of Duffel stay as they came. */
export const FlightOffer = z.looseObject({
  id: z.string(),
  total_amount: z.string().describe('For all passengers, as in 180.00.'),
  total_currency: z.string(),
  owner: z.looseObject({ name: z.string(), iata_code: z.string().nullish() }).optional(),
  expires_at: z.string().nullish(),
  slices: z.array(Slice).min(1),
})
export type FlightOffer = z.output<typeof FlightOffer>

export type FlightQuery = SearchContext & {
  readonly origin: string
  readonly destination: string
  readonly departureDate: string
  readonly returnDate?: string | undefined
  readonly passengers: number
  readonly cabin: Cabin
  /** The currency to prefer; a vendor that cannot choose answers in its own. */
  readonly currency: string
}

export type FlightAnswer = {
  readonly offers: readonly FlightOffer[]
  /** `duffel`; `timetable` for flights and prices that a model computed. */
  readonly provider: string
  /** True: no airline offers these flights at these prices. */
  readonly estimated: boolean
}

/** Searches flights. An airport that does not exist is `TOOL_RESOURCE_NOT_FOUND`. */
export type FlightsPort = {
  readonly search: (query: FlightQuery, signal: AbortSignal) => Promise<FlightAnswer>
  /** The IATA code of the airport with the most traffic near a town; null where there is none. */
  readonly airportNear: (
    place: SearchContext & { readonly town: string },
    signal: AbortSignal,
  ) => Promise<{ readonly iataCode: string; readonly name: string } | null>
}

export const flightsPort = definePort<FlightsPort>('travelFlights', {
  search: 'read',
  airportNear: 'read',
})

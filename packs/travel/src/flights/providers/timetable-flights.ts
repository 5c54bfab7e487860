import { createHash } from 'node:crypto'
import { ToolError } from '@surehand/core'
import { greatCircleMeters, offsetSecondsAt, type PlacesPort } from '@surehand/places'
import { toCurrency } from '../../providers/example-rates.ts'
import { seededChoice, seededInteger, seededNumber } from '../../providers/seeded-number.ts'
import type { Cabin, FlightOffer, FlightQuery, FlightsPort } from '../flights-port.ts'
import { type Airport, type Airports, loadAirports } from './airports.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const OFFER_LIFE_MS = 30 * MINUTE_MS
const MAX_CONNECTIONS = 4
/** A way round that is longer than this is offered by nobody. */
const MAX_DETOUR = 1.45
const CRUISE_KMH = 850
/** Taxi, climb and approach. */
const OVERHEAD_MINUTES = 32
/** By the sizes of both airports together: how far a flight without a stop goes. */
const RANGES_KM: Readonly<Record<number, number>> = {
  2: 1_200,
  3: 3_500,
  4: 7_000,
  5: 11_000,
  6: 15_500,
}

const CARRIERS: readonly [string, string, ...string[]] = [
  'Example Air',
  'Model Airways',
  'Sample Wings',
  'Specimen Jet',
]

/**
 * Flights that a timetable model computes: real airports, great-circle times, plausible connections
 * and fares. No airline flies them, and every offer says so.
 */
export function timetableFlights(options: {
  readonly places: PlacesPort
  readonly now: () => number
}): FlightsPort {
  let loading: Promise<Airports> | undefined
  const load = (): Promise<Airports> => {
    loading ??= loadAirports()
    return loading
  }
  return {
    async search(query) {
      const airports = await load()
      const origin = requireAirport(query.origin, airports)
      const destination = requireAirport(query.destination, airports)
      const nowMs = options.now()
      const there = planSlices([origin, destination, query.departureDate], airports)
      const back =
        query.returnDate === undefined
          ? [undefined]
          : planSlices([destination, origin, query.returnDate], airports)
      const offers = there.flatMap((out, index) => {
        const home = back[index % back.length]
        const plans = home === undefined ? [out] : [out, home]
        return query.returnDate !== undefined && home === undefined
          ? []
          : [toOffer(plans, query, nowMs)]
      })
      return { offers, provider: 'timetable', estimated: true }
    },
    async airportNear({ tenant, town }, signal) {
      const place = await options.places.resolve({ tenant, query: town }, signal)
      const airport = place === null ? undefined : (await load()).near(place.location)
      return airport === undefined ? null : { iataCode: airport.code, name: airport.name }
    },
  }
}

function requireAirport(code: string, airports: Airports): Airport {
  const [airport] = airports.named(code)
  if (airport !== undefined) return airport
  throw new ToolError(
    'TOOL_RESOURCE_NOT_FOUND',
    `No airport or city with scheduled flights has the IATA code ${code}. Give another code.`,
    { effect: 'none', details: { source_code: 'airport_not_found' } },
  )
}

type Leg = {
  readonly from: Airport
  readonly to: Airport
  readonly departsAt: number
  readonly arrivesAt: number
  readonly flightNumber: string
}
type SlicePlan = { readonly legs: readonly Leg[]; readonly carrier: string; readonly date: string }
type Route = readonly [from: Airport, to: Airport, date: string]

function kilometres(from: Airport, to: Airport): number {
  return greatCircleMeters(from, to) / 1000
}

function hasDirectFlight(from: Airport, to: Airport): boolean {
  const distance = kilometres(from, to)
  return distance >= 80 && distance <= (RANGES_KM[from.size + to.size] ?? 0)
}

/** The flights of a day, those without a stop first. */
function planSlices([from, to, date]: Route, airports: Airports): readonly SlicePlan[] {
  const route = `${from.code}-${to.code}`
  const direct = hasDirectFlight(from, to)
    ? Array.from({ length: seededInteger(1, 4, 'daily', route) }, (_, index) =>
        planSlice([from, to], date, index),
      )
    : []
  const connections = findConnections(from, to, airports).map((hub, index) =>
    planSlice([from, hub, to], date, 10 + index),
  )
  return [...direct, ...connections]
}

function findConnections(from: Airport, to: Airport, airports: Airports): readonly Airport[] {
  const distance = kilometres(from, to)
  if (distance < 500) return []
  return airports.hubs
    .filter((hub) => hub !== from && hub !== to)
    .filter((hub) => hasDirectFlight(from, hub) && hasDirectFlight(hub, to))
    .map((hub) => ({ hub, detour: (kilometres(from, hub) + kilometres(hub, to)) / distance }))
    .filter(({ detour }) => detour <= MAX_DETOUR)
    .sort((left, right) => left.detour - right.detour)
    .slice(0, MAX_CONNECTIONS)
    .map(({ hub }) => hub)
}

function planSlice(stops: readonly Airport[], date: string, index: number): SlicePlan {
  const route = stops.map(({ code }) => code).join('-')
  const carrier = seededChoice(CARRIERS, 'carrier', route, index)
  const [first] = stops
  // In steps of five minutes, between 06:00 and 20:55.
  const minutes = 360 + 5 * seededInteger(0, 179, 'departure', route, index)
  let departsAt = localToInstant(date, minutes, first?.timeZone ?? 'UTC')
  const legs: Leg[] = []
  for (const [position, to] of stops.slice(1).entries()) {
    const from = stops[position] ?? to
    const flightMinutes = OVERHEAD_MINUTES + (kilometres(from, to) / CRUISE_KMH) * 60
    const arrivesAt = departsAt + Math.round(flightMinutes / 5) * 5 * MINUTE_MS
    const flightNumber = String(seededInteger(100, 4999, 'number', from.code, to.code, index))
    legs.push({ from, to, departsAt, arrivesAt, flightNumber })
    departsAt = arrivesAt + 5 * seededInteger(12, 36, 'transfer', route, position) * MINUTE_MS
  }
  return { legs, carrier, date }
}

// The offset is looked up twice: the first guess may be on the other side of a clock change.
function localToInstant(date: string, minutes: number, timeZone: string): number {
  const asUtc = Date.parse(`${date}T00:00:00Z`) + minutes * MINUTE_MS
  const guess = asUtc - offsetSecondsAt(asUtc, timeZone) * 1000
  return asUtc - offsetSecondsAt(guess, timeZone) * 1000
}

function localTime(atMs: number, timeZone: string): string {
  return new Date(atMs + offsetSecondsAt(atMs, timeZone) * 1000).toISOString().slice(0, 19)
}

function toOffer(plans: readonly SlicePlan[], query: FlightQuery, nowMs: number): FlightOffer {
  const dollars = plans.reduce((sum, plan) => sum + fareOf(plan, query, nowMs), 0)
  const { amount, currency } = toCurrency(dollars * query.passengers, query.currency)
  const identity = JSON.stringify([plans.map(({ legs }) => legs), query.cabin, query.passengers])
  const id = createHash('sha256').update(identity).digest('hex').slice(0, 22)
  return {
    id: `off_example_${id}`,
    total_amount: amount,
    total_currency: currency,
    owner: { name: `${plans[0]?.carrier} (not a real airline)`, iata_code: null },
    expires_at: new Date(nowMs + OFFER_LIFE_MS).toISOString(),
    live_mode: false,
    slices: plans.map(toSlice),
  }
}

function fareOf({ legs, carrier, date }: SlicePlan, query: FlightQuery, nowMs: number): number {
  const [first] = legs
  const last = legs.at(-1)
  if (first === undefined || last === undefined) return 0
  return modelFare({
    route: `${first.from.code}-${last.to.code}-${legs.length}-${first.flightNumber}`,
    distanceKm: kilometres(first.from, last.to),
    stops: legs.length - 1,
    date,
    daysAhead: Math.floor((Date.parse(date) - nowMs) / DAY_MS),
    cabin: query.cabin,
    carrier,
  })
}

function toSlice({ legs, carrier }: SlicePlan): FlightOffer['slices'][number] {
  const first = legs[0] as Leg
  const last = legs.at(-1) as Leg
  return {
    origin: toPlace(first.from),
    destination: toPlace(last.to),
    duration: isoDuration(last.arrivesAt - first.departsAt),
    segments: legs.map((leg) => ({
      origin: toPlace(leg.from),
      destination: toPlace(leg.to),
      departing_at: localTime(leg.departsAt, leg.from.timeZone),
      arriving_at: localTime(leg.arrivesAt, leg.to.timeZone),
      duration: isoDuration(leg.arrivesAt - leg.departsAt),
      marketing_carrier: { name: `${carrier} (not a real airline)`, iata_code: null },
      marketing_carrier_flight_number: leg.flightNumber,
    })),
  }
}

function toPlace({ code, name, timeZone, lat, lng, country }: Airport) {
  return {
    iata_code: code,
    name,
    time_zone: timeZone,
    latitude: lat,
    longitude: lng,
    iata_country_code: country,
    type: 'airport',
  }
}

function isoDuration(durationMs: number): string {
  const minutes = Math.round(durationMs / MINUTE_MS)
  return `PT${Math.floor(minutes / 60)}H${minutes % 60}M`
}

const CABIN_FACTORS: Readonly<Record<Cabin, number>> = {
  economy: 1,
  premium_economy: 1.7,
  business: 3.4,
  first: 5.5,
}

export type FareQuery = {
  readonly route: string
  readonly distanceKm: number
  readonly stops: number
  readonly date: string
  readonly daysAhead: number
  readonly cabin: Cabin
  readonly carrier: string
}

/** What a seat on a flight could cost, in US dollars. A model: no airline asks for this fare. */
function modelFare(query: FareQuery): number {
  const { route, distanceKm, stops, date, daysAhead, cabin, carrier } = query
  const base = 28 + 0.055 * distanceKm
  const noise = 0.85 + 0.4 * seededNumber('fare', route, date, carrier)
  const detour = stops === 0 ? 1 : 0.82
  return (
    base * CABIN_FACTORS[cabin] * seasonFactor(date) * urgencyFactor(daysAhead) * noise * detour
  )
}

function seasonFactor(date: string): number {
  const month = Number(date.slice(5, 7))
  const day = new Date(`${date}T00:00:00Z`).getUTCDay()
  const season = month === 7 || month === 8 ? 1.3 : month === 12 ? 1.2 : month <= 2 ? 0.88 : 1
  return season * (day === 5 || day === 0 ? 1.12 : 1)
}

function urgencyFactor(daysAhead: number): number {
  if (daysAhead < 3) return 1.9
  if (daysAhead < 7) return 1.5
  if (daysAhead < 21) return 1.15
  return 1
}

import { greatCircleMeters, type LatLng } from '@surehand/places'
import { CITY_AIRPORTS, HUBS } from './hubs.ts'

export type Airport = LatLng & {
  readonly code: string
  readonly icao: string
  readonly name: string
  readonly country: string
  readonly timeZone: string
  /** 1: a small airport with scheduled flights; 2: a large one; 3: one with much traffic. */
  readonly size: 1 | 2 | 3
}

export type Airports = {
  /** The airports of an IATA code of an airport or a city, the largest first. */
  readonly named: (code: string) => readonly Airport[]
  /** The airport that travellers to a point most probably use. */
  readonly near: (point: LatLng) => Airport | undefined
  readonly hubs: readonly Airport[]
}

const MAX_DISTANCE_METERS = 120_000
/** Passengers in millions from which connections are offered. */
const HUB_PASSENGERS = 20
/** Passengers in millions from which an airport has flights to other continents. */
const BUSY_PASSENGERS = 10

/** Loads the airports of the world with scheduled flights, which takes about 0.4 s. */
export async function loadAirports(): Promise<Airports> {
  const { default: data } = await import('airport-data-js')
  const airports = (await data.findAirports({}))
    // The data has the texts TRUE and FALSE.
    .filter((one) => /^true$/i.test(String(one.scheduled_service)) && /^[A-Z]{3}$/.test(one.iata))
    .map(toAirport)
  const byCode = new Map(airports.map((airport) => [airport.code, airport]))
  return {
    named: (code) =>
      [...(CITY_AIRPORTS.get(code) ?? []), code].flatMap((one) => byCode.get(one) ?? []),
    near: (point) => findNear(point, airports),
    hubs: airports.filter(({ code }) => (HUBS.get(code) ?? 0) >= HUB_PASSENGERS),
  }
}

type RawAirport = import('airport-data-js').Airport

function toAirport(raw: RawAirport): Airport {
  return {
    code: raw.iata,
    icao: raw.icao,
    name: raw.airport,
    country: raw.country_code,
    timeZone: raw.time,
    lat: raw.latitude,
    lng: raw.longitude,
    size: sizeOf(raw),
  }
}

function sizeOf({ iata, type }: RawAirport): Airport['size'] {
  if ((HUBS.get(iata) ?? 0) >= BUSY_PASSENGERS) return 3
  return type === 'large_airport' ? 2 : 1
}

// Traffic counts more than distance: to London one flies to Heathrow, not to the City airport.
function findNear(point: LatLng, airports: readonly Airport[]): Airport | undefined {
  let best: { readonly airport: Airport; readonly score: number } | undefined
  for (const airport of airports) {
    // A degree of latitude is 111 km everywhere; this skips most of the world.
    if (Math.abs(airport.lat - point.lat) > 1.2) continue
    const meters = greatCircleMeters(point, airport)
    if (meters > MAX_DISTANCE_METERS) continue
    const passengers = HUBS.get(airport.code) ?? airport.size
    const score = passengers / (1 + meters / 20_000)
    if (best === undefined || score > best.score) best = { airport, score }
  }
  return best?.airport
}

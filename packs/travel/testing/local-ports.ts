import { ToolError } from '@surehand/core'
import type { TownsPort } from '../src/documents/towns-port.ts'
import type { FlightOffer, FlightsPort } from '../src/flights/flights-port.ts'
import type { DistancesPort, GeocoderPort, PoisPort } from '../src/maps/maps-ports.ts'
import type { ClimatePort, WeatherPort } from '../src/weather/weather-port.ts'
import type { CrawlPort } from '../src/web/crawl-port.ts'
import type { WebSearchPort } from '../src/web/web-search-port.ts'

const LISBON = { lat: 38.7167, lng: -9.1333 }
const BERLIN = { lat: 52.52, lng: 13.405 }

/** Providers whose answers are known, for tests of what is built on them. */
export const localPorts = {
  travelWebSearch: {
    search: async ({ query, limit }) => ({
      results: Array.from({ length: limit }, (_, index) => ({
        url: `https://example.com/${index}`,
        title: `${query} ${index}`,
      })),
      provider: 'test',
    }),
  } satisfies WebSearchPort,
  travelCrawl: {
    page: async ({ url }) => ({ page: { url, markdown: `# ${url}` }, provider: 'test' }),
    site: async ({ url, maxPages, onProgress }) => {
      const pages = Array.from({ length: maxPages }, (_, index) => ({
        url: `${url}/${index}`,
        markdown: `Page ${index}`,
      }))
      for (const [index, page] of pages.entries())
        onProgress({ completed: index + 1, total: maxPages, url: page.url })
      return { pages, skipped: [], status: 'completed' as const, provider: 'test' }
    },
  } satisfies CrawlPort,
  travelWeather: {
    current: async ({ city, units }) => ({
      city,
      temp: units === 'metric' ? 21 : 70,
      description: 'clear sky',
      humidity: 60,
      provider: 'test',
    }),
  } satisfies WeatherPort,
  travelClimate: {
    estimate: async ({ city }) => ({
      city,
      temp: 18,
      description: 'usually mild',
      humidity: 65,
      provider: 'climate-model',
    }),
  } satisfies ClimatePort,
  travelFlights: {
    search: async (query) => ({
      offers: [180, 240, 95, 310].map((price, index) => toOffer(query, price, index)),
      provider: 'test',
      estimated: true,
    }),
    airportNear: async ({ town }) => {
      const code = { lisbon: 'LIS', berlin: 'BER', porto: 'OPO' }[town.toLowerCase()]
      return code === undefined ? null : { iataCode: code, name: `${town} airport` }
    },
  } satisfies FlightsPort,
  travelGeocoder: {
    geocode: async ({ address }) =>
      /lisb/i.test(address)
        ? [{ placeId: 'p1', location: LISBON, precision: 'town', provider: 'test' }]
        : [],
  } satisfies GeocoderPort,
  travelDistances: {
    matrix: async ({ origins, destinations }) => ({
      matrix: {
        status: 'OK' as const,
        origin_addresses: [...origins],
        destination_addresses: [...destinations],
        rows: origins.map(() => ({
          elements: destinations.map(() => ({
            status: 'OK' as const,
            distance: { text: '313 km', value: 313_000 },
            duration: { text: '3 hours', value: 10_800 },
          })),
        })),
      },
      provider: 'test',
    }),
  } satisfies DistancesPort,
  travelPois: {
    search: async ({ limit }) => ({
      pois: Array.from({ length: Math.min(limit, 6) }, (_, index) => ({
        placeId: `poi_${index}`,
        name: `Sight ${index}`,
        lat: 38.7 + index / 100,
        lon: -9.1 - index / 100,
        types: ['museum'],
        rating: 5 - index / 10,
      })),
      provider: 'stub' as const,
    }),
  } satisfies PoisPort,
  travelTowns: {
    within: async () => [{ name: 'Madrid', lat: 40.42, lon: -3.7 }],
  } satisfies TownsPort,
}

/** A service that cannot be reached. */
export function unreachable(): Promise<never> {
  return Promise.reject(new ToolError('TOOL_EXTERNAL_SERVICE_ERROR', 'The service is not there.'))
}

type Trip = Parameters<FlightsPort['search']>[0]

function toOffer(trip: Trip, price: number, index: number): FlightOffer {
  const there = toSlice(trip.origin, trip.destination, trip.departureDate, index)
  return {
    id: `off_${index}`,
    total_amount: (price * trip.passengers).toFixed(2),
    total_currency: trip.currency,
    owner: { name: 'Test Air', iata_code: 'TA' },
    slices:
      trip.returnDate === undefined
        ? [there]
        : [there, toSlice(trip.destination, trip.origin, trip.returnDate, index)],
  }
}

function toSlice(from: string, to: string, date: string, index: number) {
  const origin = toAirport(from)
  const destination = toAirport(to)
  return {
    origin,
    destination,
    segments: [
      {
        origin,
        destination,
        departing_at: `${date}T0${6 + index}:10:00`,
        arriving_at: `${date}T1${index}:25:00`,
        marketing_carrier: { name: 'Test Air', iata_code: 'TA' },
        marketing_carrier_flight_number: `10${index}`,
      },
    ],
  }
}

function toAirport(code: string) {
  const { lat, lng } = code === 'LIS' ? LISBON : BERLIN
  return {
    iata_code: code,
    name: `${code} airport`,
    latitude: lat,
    longitude: lng,
    time_zone: code === 'LIS' ? 'Europe/Lisbon' : 'Europe/Berlin',
  }
}

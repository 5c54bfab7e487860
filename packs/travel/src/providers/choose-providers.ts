import type { PackGiven, PackNeeds } from '@surehand/core/host'
import type { ValueStore } from '@surehand/core/ports'
import { localEmbeddings } from '@surehand/discovery'
import { localDirections, localPlaces, type PlacesPort } from '@surehand/places'
import { openVendorAccess, type VendorAccess } from '@surehand/vendors'
import { z } from 'zod'
import { duffelFlights } from '../flights/providers/duffel-flights.ts'
import { timetableFlights } from '../flights/providers/timetable-flights.ts'
import type { GeocoderPort } from '../maps/maps-ports.ts'
import { googleDistances, googleGeocoder, googlePois } from '../maps/providers/google-maps.ts'
import {
  gazetteerTowns,
  localDistances,
  localGeocoder,
  localPois,
} from '../maps/providers/local-maps.ts'
import { ownMemories } from '../memories/providers/own-memories.ts'
import { postgrestMemories } from '../memories/providers/postgrest-memories.ts'
import { storedTravelData } from '../own-data/providers/stored-travel-data.ts'
import { redisValues } from '../plans/providers/redis-values.ts'
import { type PlanValues, storedPlans } from '../plans/providers/stored-plans.ts'
import { ownShares } from '../shares/providers/own-shares.ts'
import { duffelStays } from '../stays/providers/duffel-stays.ts'
import { mcpStays } from '../stays/providers/mcp-stays.ts'
import { timetableStays } from '../stays/providers/timetable-stays.ts'
import type { SearchNotesPort } from '../stays/search-notes-port.ts'
import { Amount, type StayChoice, type StaysPort } from '../stays/stays-port.ts'
import { aiSdkTripModel, noTripModel } from '../trips/providers/ai-sdk-trip-model.ts'
import type { TripModelPort } from '../trips/trip-model-port.ts'
import { climateModel, noWeather } from '../weather/providers/climate-model.ts'
import { openWeatherMap } from '../weather/providers/open-weather-map.ts'
import { firecrawlCrawl, firecrawlSearch } from '../web/providers/firecrawl.ts'
import { localCrawl, noWebSearch } from '../web/providers/local-crawl.ts'

/** The settings that enable a vendor; without them everything is done on this machine. */
const VENDOR_NEEDS = {
  secrets: {
    FIRECRAWL_API_KEY: { for: 'web search and reading of pages by Firecrawl', optional: true },
    OPENWEATHERMAP_API_KEY: { for: 'the weather of the moment', optional: true },
    DUFFEL_ACCESS_TOKEN: { for: 'flights and stays of Duffel', optional: true },
    GOOGLE_MAPS_SERVER_API_KEY: {
      for: "Google's geocoding, places and routes",
      optional: true,
    },
    SUPABASE_SERVICE_ROLE_KEY: { for: 'memories behind PostgREST', optional: true },
    TRAVEL_REDIS_URL: { for: 'plans in Redis, as redis://:password@host:6379', optional: true },
  },
  settings: {
    FIRECRAWL_URL: { for: "another address than Firecrawl's own, such as an emulator's" },
    OPENWEATHERMAP_URL: { for: 'the same for the weather' },
    DUFFEL_URL: { for: 'the same for flights and stays' },
    DUFFEL_STAYS: { for: '"off" where the Duffel account has flights only' },
    TRAVEL_GEOCODING_URL: { for: "another address than Google's own, for geocoding" },
    TRAVEL_PLACES_URL: { for: 'the same for points of interest' },
    TRAVEL_ROUTES_URL: { for: 'the same for distances' },
    SUPABASE_URL: { for: 'the address of PostgREST, as https://project.supabase.co' },
    TRAVEL_STAYS_MCP_TOOL: {
      for: 'the search tool of a mounted MCP server for stays, as airbnb.airbnb_search',
    },
  },
  hosts: [
    'api.firecrawl.dev',
    'api.openweathermap.org',
    'api.duffel.com',
    'maps.googleapis.com',
    'places.googleapis.com',
    'routes.googleapis.com',
  ],
} satisfies PackNeeds

const LARGE_BYTES = 20_000_000

/** Access to each vendor; undefined where its key is not set. */
function openVendors(given: PackGiven) {
  const google = (setting: string, defaultUrl: string) =>
    openVendorAccess(given, { secret: 'GOOGLE_MAPS_SERVER_API_KEY', setting, defaultUrl })
  return {
    firecrawl: openVendorAccess(given, {
      secret: 'FIRECRAWL_API_KEY',
      setting: 'FIRECRAWL_URL',
      defaultUrl: 'https://api.firecrawl.dev',
      maxBytes: LARGE_BYTES,
    }),
    weather: openVendorAccess(given, {
      secret: 'OPENWEATHERMAP_API_KEY',
      setting: 'OPENWEATHERMAP_URL',
      defaultUrl: 'https://api.openweathermap.org',
    }),
    duffel: openVendorAccess(given, {
      secret: 'DUFFEL_ACCESS_TOKEN',
      setting: 'DUFFEL_URL',
      defaultUrl: 'https://api.duffel.com',
      maxBytes: LARGE_BYTES,
    }),
    geocoding: google('TRAVEL_GEOCODING_URL', 'https://maps.googleapis.com'),
    places: google('TRAVEL_PLACES_URL', 'https://places.googleapis.com'),
    routes: google('TRAVEL_ROUTES_URL', 'https://routes.googleapis.com'),
    // There is no address that all projects share.
    supabase:
      given.setting('SUPABASE_URL') === undefined
        ? undefined
        : openVendorAccess(given, {
            secret: 'SUPABASE_SERVICE_ROLE_KEY',
            setting: 'SUPABASE_URL',
            defaultUrl: '',
            maxBytes: LARGE_BYTES,
          }),
  }
}

export const TRAVEL_NEEDS: PackNeeds = {
  secrets: {
    ...VENDOR_NEEDS.secrets,
    OPENAI_API_KEY: { for: 'a model that reads wishes', optional: true },
  },
  settings: {
    ...VENDOR_NEEDS.settings,
    OPENAI_BASE_URL: { for: 'another API that is compatible with OpenAI' },
    TRAVEL_MODEL: { for: 'the model that reads wishes' },
  },
  hosts: [...VENDOR_NEEDS.hosts, 'api.openai.com'],
}

const PAGE_BYTES = 20_000_000

/** The vendor where its key is set, otherwise what this machine can do itself. */
export function chooseProviders(given: PackGiven): Readonly<Record<string, object>> {
  const places = localPlaces()
  const vendors = openVendors(given)
  const { firecrawl, weather, duffel, geocoding, routes, supabase } = vendors
  const { now, values } = given
  const fetchFor = (tenant: string) => given.fetch({ tenant, maxBytes: PAGE_BYTES })
  const memories = supabase === undefined ? ownMemories(given) : postgrestMemories(supabase)
  const plans = storedPlans(choosePlanValues(given), now)
  const geocoder = geocoding === undefined ? localGeocoder(places) : googleGeocoder(geocoding)
  return {
    travelWebSearch: firecrawl === undefined ? noWebSearch() : firecrawlSearch(firecrawl),
    travelCrawl:
      firecrawl === undefined ? localCrawl({ fetchFor }) : firecrawlCrawl(firecrawl, { fetchFor }),
    travelWeather: weather === undefined ? noWeather() : openWeatherMap(weather),
    travelClimate: climateModel(places),
    travelFlights: duffel === undefined ? timetableFlights({ places, now }) : duffelFlights(duffel),
    travelGeocoder: geocoder,
    travelDistances:
      routes === undefined ? localDistances(places, localDirections()) : googleDistances(routes),
    travelPois:
      vendors.places === undefined
        ? localPois(places)
        : googlePois(vendors.places, { geocoder, values }),
    travelStays: chooseStays(given, { places, duffel, geocoder }),
    travelSearchNotes: storedSearchNotes(values),
    travelMemories: memories,
    travelEmbeddings: localEmbeddings(),
    travelPlans: plans,
    travelShares: ownShares(given),
    travelData: storedTravelData({ ...given, memories, plans }),
    travelTowns: gazetteerTowns(),
    travelModel: chooseTripModel(given),
  }
}

function chooseStays(
  given: PackGiven,
  parts: {
    readonly places: PlacesPort
    readonly duffel: VendorAccess | undefined
    readonly geocoder: GeocoderPort
  },
): StaysPort {
  const { places, duffel, geocoder } = parts
  const { now, values, call } = given
  const searchTool = given.setting('TRAVEL_STAYS_MCP_TOOL')
  if (searchTool !== undefined) return mcpStays({ call, searchTool })
  if (duffel !== undefined && given.setting('DUFFEL_STAYS') !== 'off')
    return duffelStays(duffel, { geocoder, now })
  return timetableStays({ places, values, now })
}

function choosePlanValues(given: PackGiven): PlanValues {
  const url = given.secret('TRAVEL_REDIS_URL')
  return url === undefined ? given.values : redisValues(url)
}

/** A language model where its key is set; otherwise wishes are read by rules. */
function chooseTripModel(given: PackGiven): TripModelPort {
  const access = openVendorAccess(given, {
    secret: 'OPENAI_API_KEY',
    setting: 'OPENAI_BASE_URL',
    defaultUrl: 'https://api.openai.com/v1',
  })
  const model = given.setting('TRAVEL_MODEL') ?? 'gpt-5-mini'
  return access === undefined ? noTripModel() : aiSdkTripModel({ ...access, model })
}

const LIFE_MS = 86_400_000
const Note = z.object({ total: Amount, day: z.string() })

/** Notes in the runtime's key–value store. */
export function storedSearchNotes(values: Pick<ValueStore, 'get' | 'set'>): SearchNotesPort {
  return {
    async note({ choice, note }) {
      await values.set(choice.tenant, keyOf(choice), JSON.stringify(note), LIFE_MS)
    },
    async find(choice) {
      const text = await values.get(choice.tenant, keyOf(choice))
      return text === undefined ? undefined : Note.parse(JSON.parse(text))
    },
  }
}

function keyOf({ userId, listingId, checkin, checkout, guests }: StayChoice): string {
  const parts = [userId, listingId, checkin, checkout, guests]
  return `travel/seen/${parts.map((part) => encodeURIComponent(part)).join('/')}`
}

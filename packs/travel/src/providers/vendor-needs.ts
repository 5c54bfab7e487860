import type { PackGiven, PackNeeds } from '@surehand/core/host'
import { openVendorAccess } from '@surehand/vendors'

/** The settings that enable a vendor; without them everything is done on this machine. */
export const VENDOR_NEEDS = {
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
export function openVendors(given: PackGiven) {
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

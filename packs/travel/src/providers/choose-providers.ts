import type { PackGiven, PackNeeds } from '@surehand/core/host'
import { localDirections, localPlaces } from '@surehand/places'
import { openVendorAccess } from '@surehand/vendors'
import { gazetteerTowns } from '../documents/providers/gazetteer-towns.ts'
import { timetableFlights } from '../flights/providers/timetable-flights.ts'
import { localDistances, localGeocoder, localPois } from '../maps/providers/local-maps.ts'
import { localEmbeddings } from '../memories/providers/local-embeddings.ts'
import { ownMemories } from '../memories/providers/own-memories.ts'
import { storedPlans } from '../plans/providers/stored-plans.ts'
import { ownShares } from '../shares/providers/own-shares.ts'
import { storedSearchNotes } from '../stays/providers/stored-search-notes.ts'
import { timetableStays } from '../stays/providers/timetable-stays.ts'
import { aiSdkTripModel } from '../trips/providers/ai-sdk-trip-model.ts'
import { noTripModel } from '../trips/providers/no-trip-model.ts'
import type { TripModelPort } from '../trips/trip-model-port.ts'
import { climateModel, noWeather } from '../weather/providers/climate-model.ts'
import { localCrawl } from '../web/providers/local-crawl.ts'
import { noWebSearch } from '../web/providers/no-web-search.ts'

export const TRAVEL_NEEDS: PackNeeds = {
  secrets: {
    OPENAI_API_KEY: { for: 'a model that reads wishes', optional: true },
  },
  settings: {
    OPENAI_BASE_URL: { for: 'another API that is compatible with OpenAI' },
    TRAVEL_MODEL: { for: 'the model that reads wishes' },
  },
  hosts: ['api.openai.com'],
}

/** The vendor where its key is set, otherwise what this machine can do itself. */
export function chooseProviders(given: PackGiven): Readonly<Record<string, object>> {
  const places = localPlaces()
  const { now, values } = given
  return {
    travelWebSearch: noWebSearch(),
    travelCrawl: localCrawl({
      fetchFor: (tenant) => given.fetch({ tenant, maxBytes: 20_000_000 }),
    }),
    travelWeather: noWeather(),
    travelClimate: climateModel(places),
    travelFlights: timetableFlights({ places, now }),
    travelGeocoder: localGeocoder(places),
    travelDistances: localDistances(places, localDirections()),
    travelPois: localPois(places),
    travelStays: timetableStays({ places, values, now }),
    travelSearchNotes: storedSearchNotes(values),
    travelMemories: ownMemories(given),
    travelEmbeddings: localEmbeddings(),
    travelPlans: storedPlans(values, now),
    travelShares: ownShares(given),
    travelTowns: gazetteerTowns(),
    travelModel: chooseTripModel(given),
  }
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

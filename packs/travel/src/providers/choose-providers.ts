import type { PackGiven, PackNeeds } from '@surehand/core/host'
import { localDirections, localPlaces } from '@surehand/places'
import { gazetteerTowns } from '../documents/providers/gazetteer-towns.ts'
import { timetableFlights } from '../flights/providers/timetable-flights.ts'
import { localDistances, localGeocoder, localPois } from '../maps/providers/local-maps.ts'
import { localEmbeddings } from '../memories/providers/local-embeddings.ts'
import { ownMemories } from '../memories/providers/own-memories.ts'
import { storedPlans } from '../plans/providers/stored-plans.ts'
import { ownShares } from '../shares/providers/own-shares.ts'
import { storedSearchNotes } from '../stays/providers/stored-search-notes.ts'
import { timetableStays } from '../stays/providers/timetable-stays.ts'
import { climateModel, noWeather } from '../weather/providers/climate-model.ts'
import { localCrawl } from '../web/providers/local-crawl.ts'
import { noWebSearch } from '../web/providers/no-web-search.ts'

export const TRAVEL_NEEDS: PackNeeds = {}

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
  }
}

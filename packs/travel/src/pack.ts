import { definePack, type Tool } from '@surehand/core'
import { travelCommand } from './commands/travel-command.ts'
import { exportTravelPlan } from './documents/export-travel-plan.ts'
import { readSharedPlan } from './documents/read-shared-plan.ts'
import { findAirport } from './flights/find-airport.ts'
import { searchFlights } from './flights/search-flights.ts'
import { distanceMatrix } from './maps/distance-matrix.ts'
import { geocode } from './maps/geocode.ts'
import { lookupPoiContext } from './maps/lookup-poi-context.ts'
import { addConversationMemory } from './memories/add-conversation-memory.ts'
import { forgetMemory } from './memories/forget-memory.ts'
import { searchUserMemories } from './memories/search-user-memories.ts'
import { deleteAllData } from './own-data/delete-all-data.ts'
import { PLAN_ROUTES, SHARED_ROUTE } from './pages/plan-routes.ts'
import { combineSearchResults } from './plans/combine-search-results.ts'
import { createTravelPlan } from './plans/create-travel-plan.ts'
import { deleteTravelPlan } from './plans/delete-travel-plan.ts'
import { getTravelPlan } from './plans/get-travel-plan.ts'
import { listTravelPlans } from './plans/list-travel-plans.ts'
import { saveTravelPlan } from './plans/save-travel-plan.ts'
import { updateTravelPlan } from './plans/update-travel-plan.ts'
import { chooseProviders, TRAVEL_NEEDS } from './providers/choose-providers.ts'
import { sharePlan } from './shares/share-plan.ts'
import { unsharePlan } from './shares/unshare-plan.ts'
import { bookAccommodation } from './stays/book-accommodation.ts'
import { cancelBooking } from './stays/cancel-booking.ts'
import { listBookings } from './stays/list-bookings.ts'
import { searchAccommodations } from './stays/search-accommodations.ts'
import { TABLES } from './tables.ts'
import { travelTransactionTools } from './transaction-tools.ts'
import { planTrip } from './trips/plan-trip.ts'
import { readWish } from './trips/read-wish.ts'
import { weather } from './weather/weather.ts'
import { crawlSite } from './web/crawl-site.ts'
import { crawlUrl } from './web/crawl-url.ts'
import { webSearch } from './web/web-search.ts'

export const planTools: readonly Tool[] = [
  createTravelPlan,
  updateTravelPlan,
  combineSearchResults,
  saveTravelPlan,
  deleteTravelPlan,
]

/** Reading plans, writing them out, sharing them, and deleting everything. */
export const documentTools: readonly Tool[] = [
  getTravelPlan,
  listTravelPlans,
  exportTravelPlan,
  sharePlan,
  unsharePlan,
  readSharedPlan,
  deleteAllData,
]

/** Searches: what is found costs nothing and changes nothing. */
export const searchTools: readonly Tool[] = [
  webSearch,
  crawlUrl,
  crawlSite,
  weather,
  searchFlights,
  findAirport,
  geocode,
  distanceMatrix,
  lookupPoiContext,
]

export const stayTools: readonly Tool[] = [
  searchAccommodations,
  bookAccommodation,
  listBookings,
  cancelBooking,
]

export const memoryTools: readonly Tool[] = [
  addConversationMemory,
  searchUserMemories,
  forgetMemory,
]

/** From a wish to a plan. */
export const tripTools: readonly Tool[] = [readWish, planTrip]

/** Every tool of the pack. */
export const travelTools: readonly Tool[] = [
  ...searchTools,
  ...stayTools,
  ...memoryTools,
  ...planTools,
  ...documentTools,
  ...tripTools,
  ...travelTransactionTools,
]

/** From a wish to a booked, remembered plan, as tools of Surehand. */
export const travelPack = definePack({
  name: 'travel',
  tools: travelTools,
  views: [
    {
      name: 'plan-map',
      title: 'Travel plans',
      summary: 'Your travel plans, each on a map with its parts.',
      tools: ['travel.listTravelPlans', 'travel.getTravelPlan', 'travel.geocode'],
      fields: { plan: 'Plan' },
      load: () => import('./views/plan-map.ts'),
    },
  ],
  grants: {
    user: ['travel.plan', 'travel.book', 'travel.memory'],
    admin: ['travel.operate'],
  },
  data: {
    migrations: TABLES,
    transactions: new URL('./transaction-tools.ts', import.meta.url).href,
  },
  needs: TRAVEL_NEEDS,
  providers: chooseProviders,
  routes: [...PLAN_ROUTES, SHARED_ROUTE],
  commands: [travelCommand],
  // Loaded where it is started: example data is no part of an installation in production.
  demo: async () => (await import('./demo/start-demo.ts')).startTravelDemo(),
})

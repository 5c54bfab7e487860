import { definePack } from '@surehand/core'
import { travelCommand } from './commands/travel-command.ts'
import { PLAN_ROUTES, SHARED_ROUTE } from './pages/plan-routes.ts'
import { chooseProviders, TRAVEL_NEEDS } from './providers/choose-providers.ts'
import { TABLES } from './tables.ts'
import { travelTools } from './tools.ts'

/** From a wish to a booked, remembered plan, as tools of Surehand. */
export const travelPack = definePack({
  name: 'travel',
  tools: travelTools,
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
  demo: async (given) => (await import('./demo/start-demo.ts')).startTravelDemo(given),
})

import { definePack } from '@surehand/core'
import { chooseProviders, TRAVEL_NEEDS } from './providers/choose-providers.ts'
import { TABLES } from './tables.ts'
import { travelTools } from './tools.ts'

/** From a wish to a booked, remembered plan, as tools of Surehand. */
export const travelPack = definePack({
  name: 'travel',
  tools: travelTools,
  grants: { user: ['travel.plan', 'travel.book', 'travel.memory'] },
  data: {
    migrations: TABLES,
    transactions: new URL('./transaction-tools.ts', import.meta.url).href,
  },
  needs: TRAVEL_NEEDS,
  providers: chooseProviders,
})

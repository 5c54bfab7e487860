import { definePack } from '@surehand/core'
import { TABLES } from './tables.ts'
import { travelTools } from './tools.ts'

/** From a wish to a booked, remembered plan, as tools of Surehand. */
export const travelPack = definePack({
  name: 'travel',
  tools: travelTools,
  data: {
    migrations: TABLES,
    transactions: new URL('./transaction-tools.ts', import.meta.url).href,
  },
})

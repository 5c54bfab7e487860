import { definePack } from '@surehand/core'
import { TABLES } from './tables.ts'
import { marketplaceTools } from './tools.ts'

/** From a client's WhatsApp message to a shortlist of vendors and a call, as tools of Surehand. */
export const marketplacePack = definePack({
  name: 'marketplace',
  tools: marketplaceTools,
  data: {
    migrations: TABLES,
    transactions: new URL('./transaction-tools.ts', import.meta.url).href,
  },
})

import { definePack } from '@surehand/core'
import { TABLES } from './tables.ts'
import { siteTools } from './tools.ts'

/** Tools with which an agent shops and books on a web site, confirmed by its visitor. */
export const sitePack = definePack({
  name: 'site',
  tools: siteTools,
  data: {
    migrations: TABLES,
    transactions: new URL('./transaction-tools.ts', import.meta.url).href,
  },
})

import { definePack } from '@surehand/core'
import { OPERATOR_ROUTES } from './calls/operator-routes.ts'
import { chooseProviders, MARKETPLACE_NEEDS } from './choose-providers.ts'
import { marketCommand } from './commands/market-command.ts'
import { WEBHOOK_ROUTES } from './messages/webhook-routes.ts'
import { TABLES } from './tables.ts'
import { marketplaceTools } from './tools.ts'

/** From a client's WhatsApp message to a shortlist of vendors and a call, as tools of Surehand. */
export const marketplacePack = definePack({
  name: 'marketplace',
  tools: marketplaceTools,
  grants: {
    user: ['marketplace.read', 'marketplace.write', 'marketplace.call'],
    admin: ['marketplace.operate'],
  },
  data: {
    migrations: TABLES,
    transactions: new URL('./transaction-tools.ts', import.meta.url).href,
  },
  needs: MARKETPLACE_NEEDS,
  providers: chooseProviders,
  routes: [...WEBHOOK_ROUTES, ...OPERATOR_ROUTES],
  schedules: [{ name: 'due-work', every: '10s', tool: 'marketplace.run_due_work' }],
  commands: [marketCommand],
  // Loaded where it is started: the emulator is no part of a market in production.
  demo: async (given) => (await import('./demo/start-demo.ts')).startMarketDemo(given),
})

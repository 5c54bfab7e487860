import { definePack } from '@surehand/core'
import { siteCommand } from './commands/site-command.ts'
import { OWNER_ROUTES } from './owner/owner-page.ts'
import { pageToolsRoute } from './page/page-tools.ts'
import { chooseProviders, SITE_NEEDS } from './providers/choose-providers.ts'
import { CHANNEL_ROUTES } from './session/channel-routes.ts'
import { SESSION_ROUTES } from './session/session-routes.ts'
import { turnRoutes } from './session/turn-routes.ts'
import { currentVisitor } from './session/visitor.ts'
import { TABLES } from './tables.ts'
import { siteTools } from './tools.ts'
import { OPERATE, VISIT } from './visitor-contract.ts'
import { WIDGET_ROUTES } from './widget/widget-routes.ts'

/** Tools with which an agent shops and books on a web site, confirmed by its visitor. */
export const sitePack = definePack({
  name: 'site',
  tools: siteTools,
  grants: { user: [VISIT], admin: [OPERATE] },
  data: {
    migrations: TABLES,
    transactions: new URL('./transaction-tools.ts', import.meta.url).href,
  },
  needs: SITE_NEEDS,
  providers: chooseProviders,
  routes: [
    ...SESSION_ROUTES,
    ...CHANNEL_ROUTES,
    ...turnRoutes(),
    pageToolsRoute,
    ...WIDGET_ROUTES,
    ...OWNER_ROUTES,
  ],
  schedules: [
    { name: 'refresh-index', every: '1h', tool: 'site.refresh_index' },
    { name: 'embed-pages', every: '5m', tool: 'site.embed_pages' },
  ],
  commands: [siteCommand],
  principals: { currentCaller: currentVisitor },
  demo: async (given) => (await import('./demo/start-demo.ts')).startSiteDemo(given),
})

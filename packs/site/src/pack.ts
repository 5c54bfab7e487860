import { definePack, type Tool } from '@surehand/core'
import { bookSlot } from './booking/book-slot.ts'
import { cancelBooking } from './booking/cancel-booking.ts'
import { holdSlot } from './booking/hold-slot.ts'
import { searchSlots } from './booking/search-slots.ts'
import { siteCommand } from './commands/site-command.ts'
import { addToCart } from './commerce/add-to-cart.ts'
import { applyCoupon } from './commerce/apply-coupon.ts'
import { listVariants } from './commerce/list-variants.ts'
import { orderStatus } from './commerce/order-status.ts'
import { placeOrder } from './commerce/place-order.ts'
import { removeFromCart } from './commerce/remove-from-cart.ts'
import { startCheckout } from './commerce/start-checkout.ts'
import { updateQuantity } from './commerce/update-quantity.ts'
import { fillField } from './forms/fill-field.ts'
import { submitForm } from './forms/submit-form.ts'
import { inspectSite } from './inspect/inspect-site.ts'
import { goto } from './navigation/goto.ts'
import { highlight } from './navigation/highlight.ts'
import { open } from './navigation/open.ts'
import { scrollTo } from './navigation/scroll-to.ts'
import { OWNER_ROUTES } from './owner/owner-page.ts'
import { siteReport } from './owner/site-report.ts'
import { eraseVisitor, readTranscript } from './owner/visitor-records.ts'
import { pageToolsRoute } from './page/page-tools.ts'
import { chooseProviders, SITE_NEEDS } from './providers/choose-providers.ts'
import { embedPages, refreshIndex } from './search/refresh-index.ts'
import { siteSearch } from './search/site-search.ts'
import { suggestNext } from './search/suggest-next.ts'
import { CHANNEL_ROUTES } from './session/channel-routes.ts'
import { SESSION_ROUTES } from './session/session-routes.ts'
import { turnRoutes } from './session/turn-routes.ts'
import { currentVisitor } from './session/visitor.ts'
import { readSitemap } from './siteops/read-sitemap.ts'
import { respectRobots } from './siteops/respect-robots.ts'
import { warmupCache } from './siteops/warmup-cache.ts'
import { TABLES } from './tables.ts'
import { siteTransactionTools } from './transaction-tools.ts'
import { OPERATE, VISIT } from './visitor-contract.ts'
import { WIDGET_ROUTES } from './widget/widget-routes.ts'

/** The 22 tools of the document, in its order. */
export const documentTools: readonly Tool[] = [
  goto,
  highlight,
  scrollTo,
  open,
  siteSearch,
  suggestNext,
  listVariants,
  addToCart,
  removeFromCart,
  updateQuantity,
  applyCoupon,
  startCheckout,
  placeOrder,
  searchSlots,
  holdSlot,
  bookSlot,
  cancelBooking,
  fillField,
  submitForm,
  readSitemap,
  warmupCache,
  respectRobots,
]

/** Every tool of the pack. */
export const siteTools: readonly Tool[] = [
  ...documentTools,
  orderStatus,
  inspectSite,
  refreshIndex,
  embedPages,
  siteReport,
  readTranscript,
  eraseVisitor,
  ...siteTransactionTools,
]

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
  views: [
    {
      name: 'sessions',
      title: 'Visits now',
      summary: 'The open visits of the site, and what was said in one of them.',
      tools: ['site.report', 'site.transcript'],
      fields: { session: 'Visit' },
      refresh: 'live',
      load: () => import('./views/sessions.ts'),
    },
  ],
  principals: { currentCaller: currentVisitor },
  demo: async (given) => (await import('./demo/start-demo.ts')).startSiteDemo(given),
})

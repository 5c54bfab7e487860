import type { Tool } from '@surehand/core'
import { bookSlot } from './booking/book-slot.ts'
import { cancelBooking } from './booking/cancel-booking.ts'
import { holdSlot } from './booking/hold-slot.ts'
import { searchSlots } from './booking/search-slots.ts'
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
import { siteReport } from './owner/site-report.ts'
import { eraseVisitor, readTranscript } from './owner/visitor-records.ts'
import { embedPages, refreshIndex } from './search/refresh-index.ts'
import { siteSearch } from './search/site-search.ts'
import { suggestNext } from './search/suggest-next.ts'
import { readSitemap } from './siteops/read-sitemap.ts'
import { respectRobots } from './siteops/respect-robots.ts'
import { warmupCache } from './siteops/warmup-cache.ts'
import { siteTransactionTools } from './transaction-tools.ts'

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

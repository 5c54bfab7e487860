import type { Route } from '../web/route.ts'
import {
  appointmentsPage,
  bookingPage,
  holdPage,
  slotsPage,
  submitBooking,
  submitCancellation,
  submitHold,
} from './appointment-pages.ts'
import {
  addToCart,
  adoptCart,
  adoptCartPage,
  cartPage,
  changeQuantity,
  dropCoupon,
  dropLine,
  useCoupon,
} from './cart-pages.ts'
import { productPage, shopPage } from './catalog-pages.ts'
import {
  checkoutPage,
  orderAndPayAtShop,
  payPage,
  submitCheckout,
  submitPayment,
} from './checkout-pages.ts'
import {
  contactPage,
  contactPreviewPage,
  submitMessage,
  subscribe,
  subscribedPage,
} from './contact-pages.ts'
import { homePage } from './home-page.ts'
import { orderPage, returnedPage } from './order-pages.ts'
import { searchPage } from './search-page.ts'
import { articlePage, helpPage, journalPage } from './text-pages.ts'

type Handle = Route['handle']
const get = (path: string, handle: Handle): Route => ({ method: 'GET', path, handle })
const post = (path: string, handle: Handle): Route => ({ method: 'POST', path, handle })

export const PAGE_ROUTES: readonly Route[] = [
  get('/', homePage),
  get('/shop', shopPage),
  get('/shop/:slug', shopPage),
  get('/products/:id', productPage),
  get('/search', searchPage),
  get('/cart', (visit) => cartPage(visit)),
  post('/cart/lines', addToCart),
  post('/cart/lines/:lineId', changeQuantity),
  post('/cart/lines/:lineId/remove', dropLine),
  post('/cart/coupons', useCoupon),
  post('/cart/coupons/remove', dropCoupon),
  get('/cart/open/:cartId', adoptCartPage),
  post('/cart/open/:cartId', adoptCart),
  get('/checkout', (visit) => checkoutPage(visit)),
  post('/checkout', submitCheckout),
  get('/pay/:token', (visit) => payPage(visit)),
  post('/pay/:token', submitPayment),
  post('/pay/:token/at-shop', orderAndPayAtShop),
  get('/orders', returnedPage),
  get('/orders/:orderId', orderPage),
  get('/appointments', appointmentsPage),
  get('/appointments/:resourceId', (visit) => slotsPage(visit)),
  post('/appointments/holds', submitHold),
  get('/appointments/holds/:holdId', (visit) => holdPage(visit)),
  post('/appointments/holds/:holdId', submitBooking),
  get('/bookings/:bookingId', (visit) => bookingPage(visit)),
  post('/bookings/:bookingId/cancellation', submitCancellation),
  get('/journal', journalPage),
  get('/journal/:slug', (visit) => articlePage(visit, 'journal')),
  get('/help', helpPage),
  get('/help/:slug', (visit) => articlePage(visit, 'help')),
  get('/contact', (visit) => contactPage(visit)),
  get('/contact/preview', contactPreviewPage),
  post('/contact', submitMessage),
  post('/newsletter', subscribe),
  get('/newsletter', subscribedPage),
]

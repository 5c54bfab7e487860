export { AriaRole } from './shapes/aria-role.ts'
export { PartySize, ResourceId, SlotId } from './shapes/booking.ts'
export {
  CartId,
  CheckoutToken,
  CouponCode,
  CurrencyCode,
  Money,
  ProductId,
  Quantity,
  VariantId,
} from './shapes/commerce.ts'
export { Email, Locale, Phone } from './shapes/contact.ts'
export { CssSelector } from './shapes/css-selector.ts'
export { IdempotencyKey } from './shapes/idempotency-key.ts'
export { IsoInterval } from './shapes/iso-interval.ts'
export { Filter, PageCursor, Query, Sort } from './shapes/search.ts'
export { Iso8601Duration, Rfc3339DateTime } from './shapes/time.ts'
export { Path, Url } from './shapes/web.ts'

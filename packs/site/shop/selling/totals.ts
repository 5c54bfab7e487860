import { type Money, money } from '../shop.ts'
import { discountOf } from './coupons.ts'

export type Fulfilment = 'collect' | 'delivery'

export type Totals = {
  readonly subtotal: Money
  readonly discount: Money
  readonly shipping: Money
  readonly tax: Money
  readonly total: Money
}

const DELIVERY = 690
export const FREE_DELIVERY_FROM = 6000
const VAT_PERCENT = 20

/** Prices contain the tax; the tax is stated, not added. */
export function totalsOf({
  subtotal,
  coupon,
  fulfilment,
}: {
  readonly subtotal: number
  readonly coupon: string | undefined
  readonly fulfilment: Fulfilment
}): Totals {
  const discount = discountOf(coupon, subtotal)
  const goods = subtotal - discount
  const isCharged = fulfilment === 'delivery' && goods > 0 && goods < FREE_DELIVERY_FROM
  const shipping = isCharged ? DELIVERY : 0
  const total = goods + shipping
  return {
    subtotal: money(subtotal),
    discount: money(discount),
    shipping: money(shipping),
    tax: money(Math.round((total * VAT_PERCENT) / (100 + VAT_PERCENT))),
    total: money(total),
  }
}

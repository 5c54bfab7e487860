import { z } from 'zod'
import type { Cart, CartLine, Order } from '../commerce/commerce-port.ts'

const ORDER_FIELDS = `
  id code state updatedAt orderPlacedAt currencyCode couponCodes
  subTotalWithTax shippingWithTax total totalWithTax
  discounts { amountWithTax }
  lines {
    id quantity unitPriceWithTax linePriceWithTax discountedLinePriceWithTax
    productVariant { id name product { id } }
  }`

/** Selects an order, or the error of a mutation. */
export const ORDER = `__typename ... on Order { ${ORDER_FIELDS} } ... on ErrorResult { errorCode message }`
export const PLAIN_ORDER = `{ ${ORDER_FIELDS} }`

export const VendureOrder = z.object({
  id: z.string(),
  code: z.string(),
  state: z.string(),
  updatedAt: z.string(),
  orderPlacedAt: z.string().nullish(),
  currencyCode: z.string(),
  couponCodes: z.array(z.string()),
  subTotalWithTax: z.int(),
  shippingWithTax: z.int(),
  total: z.int(),
  totalWithTax: z.int(),
  discounts: z.array(z.object({ amountWithTax: z.int() })),
  lines: z.array(
    z.object({
      id: z.string(),
      quantity: z.int(),
      unitPriceWithTax: z.int(),
      linePriceWithTax: z.int(),
      discountedLinePriceWithTax: z.int(),
      productVariant: z.object({
        id: z.string(),
        name: z.string(),
        product: z.object({ id: z.string() }),
      }),
    }),
  ),
})
export type VendureOrder = z.output<typeof VendureOrder>

export const OrderOrError = z.union([
  VendureOrder,
  z.object({ errorCode: z.string(), message: z.string() }),
])

const OPEN = new Set(['AddingItems', 'ArrangingPayment', 'Draft', 'Created'])

export function toCart(order: VendureOrder): Cart {
  return {
    cartId: order.code,
    // Vendure has no revision; the time of the last change grows as one does.
    revision: Date.parse(order.updatedAt),
    state: OPEN.has(order.state) ? 'open' : 'ordered',
    lines: order.lines.map((line) => toLine(line, order.currencyCode)),
    coupons: order.couponCodes,
    totals: totalsOf(order),
  }
}

function toLine(line: VendureOrder['lines'][number], currency: string): CartLine {
  return {
    cartLineId: line.id,
    productId: line.productVariant.product.id,
    variantId: line.productVariant.id,
    name: line.productVariant.name,
    quantity: line.quantity,
    unitPrice: { amount: line.unitPriceWithTax, currency },
    total: { amount: line.discountedLinePriceWithTax, currency },
  }
}

export function totalsOf(order: VendureOrder): Cart['totals'] {
  const money = (amount: number) => ({ amount, currency: order.currencyCode })
  const discount = order.discounts.reduce((sum, one) => sum - one.amountWithTax, 0)
  return {
    subtotal: money(order.subTotalWithTax),
    discount: money(discount),
    shipping: money(order.shippingWithTax),
    tax: money(order.totalWithTax - order.total),
    total: money(order.totalWithTax),
  }
}

export function toOrder(order: VendureOrder): Order {
  const { lines, totals } = toCart(order)
  return {
    orderId: order.id,
    cartId: order.code,
    state:
      order.state === 'PaymentSettled'
        ? 'paid'
        : order.state === 'Cancelled'
          ? 'cancelled'
          : 'placed',
    lines,
    totals,
    placedAt: order.orderPlacedAt ?? order.updatedAt,
  }
}

/** Whether an order has been placed, so that paying it again must not be tried. */
export function isPlaced({ state }: Pick<VendureOrder, 'state'>): boolean {
  return !OPEN.has(state) && state !== 'Cancelled'
}

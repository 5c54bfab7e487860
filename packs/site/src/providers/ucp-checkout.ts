import { z } from 'zod'
import type { Cart, CartLine, Order, Totals } from '../commerce/commerce-port.ts'

const Total = z.object({ type: z.string(), amount: z.int() })

/** A checkout of the Universal Commerce Protocol, version 2026-04-08, as far as it is used here. */
export const UcpCheckout = z.object({
  id: z.string(),
  status: z.enum([
    'incomplete',
    'requires_escalation',
    'ready_for_complete',
    'complete_in_progress',
    'completed',
    'canceled',
  ]),
  currency: z.string().length(3),
  line_items: z.array(
    z.object({
      id: z.string(),
      item: z.object({ id: z.string(), title: z.string(), price: z.int() }),
      quantity: z.int(),
      totals: z.array(Total),
    }),
  ),
  totals: z.array(Total),
  links: z.array(z.object({ type: z.string(), url: z.string(), title: z.string().optional() })),
  messages: z.array(z.object({ type: z.string(), content: z.string() })).optional(),
  discounts: z.object({ codes: z.array(z.string()).optional() }).optional(),
  continue_url: z.string().optional(),
  expires_at: z.string().optional(),
  order: z.object({ id: z.string(), permalink_url: z.string() }).optional(),
})
export type UcpCheckout = z.output<typeof UcpCheckout>

/** The checkout as a cart: in UCP it begins with the first product. */
export function toCart(checkout: UcpCheckout, revision: number): Cart {
  return {
    cartId: checkout.id,
    revision,
    state: checkout.status === 'completed' ? 'ordered' : 'open',
    lines: checkout.line_items.map((line) => toLine(line, checkout.currency)),
    coupons: checkout.discounts?.codes ?? [],
    totals: totalsOf(checkout),
  }
}

function toLine(
  { id, item, quantity, totals }: UcpCheckout['line_items'][number],
  currency: string,
): CartLine {
  return {
    cartLineId: id,
    productId: item.id,
    variantId: item.id,
    name: item.title,
    quantity,
    unitPrice: { amount: item.price, currency },
    total: { amount: amountOf(totals, 'total') ?? item.price * quantity, currency },
  }
}

export function totalsOf({ totals, currency }: UcpCheckout): Totals {
  const money = (...types: readonly string[]) => ({
    amount: types.reduce((sum, type) => sum + (amountOf(totals, type) ?? 0), 0),
    currency,
  })
  const discount = money('discount', 'items_discount')
  return {
    subtotal: money('subtotal'),
    // Some shops write discounts as negative amounts.
    discount: { ...discount, amount: Math.abs(discount.amount) },
    shipping: money('fulfillment'),
    tax: money('tax'),
    total: money('total'),
  }
}

function amountOf(totals: readonly z.output<typeof Total>[], type: string): number | undefined {
  return totals.find((total) => total.type === type)?.amount
}

/** Links to the terms, for the visitor to read before they approve. */
export function termsOf({ links }: UcpCheckout): readonly string[] {
  return links.map(({ type, url, title }) => `${title ?? type.replaceAll('_', ' ')}: ${url}`)
}

export function toOrder(checkout: UcpCheckout, revision: number, now: number): Order {
  const { lines, totals } = toCart(checkout, revision)
  return {
    orderId: checkout.order?.id ?? checkout.id,
    cartId: checkout.id,
    state: 'placed',
    lines,
    totals,
    placedAt: new Date(now).toISOString(),
    url: checkout.order?.permalink_url,
  }
}

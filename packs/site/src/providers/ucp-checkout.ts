import { z } from 'zod'
import type { Cart, CartLine, Order, Totals } from '../commerce/commerce-port.ts'

const Total = z.object({ type: z.string(), amount: z.int() })
const Message = z.object({ type: z.string(), code: z.string().optional(), content: z.string() })

// What the visitor has entered at the shop. An update replaces a checkout whole, so it must carry
// them: otherwise the address is lost when a line is added.
const Method = z.looseObject({
  type: z.string(),
  line_item_ids: z.array(z.string()).default([]),
  groups: z
    .array(z.object({ id: z.string(), selected_option_id: z.string().nullish() }))
    .optional(),
})
const Entered = z.object({
  buyer: z.looseObject({}).optional(),
  context: z.looseObject({}).optional(),
  // Without its credential: it is the shop's, and is not for our store.
  payment: z
    .object({ instruments: z.array(z.looseObject({ credential: z.undefined().catch(undefined) })) })
    .partial()
    .optional(),
  fulfillment: z.object({ methods: z.array(Method).optional() }).optional(),
})

/** A checkout of the Universal Commerce Protocol, version 2026-04-08, as far as it is used here. */
export const UcpCheckout = Entered.extend({
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
  messages: z.array(Message).optional(),
  discounts: z
    .object({
      codes: z.array(z.string()).optional(),
      applied: z.array(z.object({ code: z.string().optional() })).optional(),
    })
    .optional(),
  continue_url: z.string().optional(),
  expires_at: z.string().optional(),
  order: z.object({ id: z.string(), permalink_url: z.string() }).optional(),
})
export type UcpCheckout = z.output<typeof UcpCheckout>

/** The answer where no checkout could be made or found; its HTTP status is 200. */
export const UcpRefusal = z.object({
  ucp: z.object({ status: z.literal('error') }),
  messages: z.array(Message).min(1),
  continue_url: z.string().optional(),
})

/** What an update repeats of a checkout so that it is not lost. */
export function enteredParts(
  { buyer, context, payment, fulfillment }: UcpCheckout,
  lines: readonly (string | undefined)[],
): object {
  const methods = fulfillment?.methods?.map((method) => ({
    ...method,
    line_item_ids: method.line_item_ids.filter((id) => lines.includes(id)),
  }))
  return {
    ...(buyer && { buyer }),
    ...(context && { context }),
    ...(payment && { payment }),
    ...(methods && { fulfillment: { methods } }),
  }
}

/** The coupons that count: a code that was sent may have been rejected. */
export function appliedCodes({ discounts }: UcpCheckout): readonly string[] {
  const applied = discounts?.applied?.flatMap(({ code }) => code ?? [])
  return applied ?? discounts?.codes ?? []
}

/** The checkout as a cart: in UCP it begins with the first product. */
export function toCart(checkout: UcpCheckout, revision: number): Cart {
  return {
    cartId: checkout.id,
    revision,
    state: checkout.status === 'completed' ? 'ordered' : 'open',
    lines: checkout.line_items.map((line) => toLine(line, checkout.currency)),
    coupons: appliedCodes(checkout),
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

// Taxes, discounts and deliveries may be itemized: several entries of one type.
function amountOf(totals: readonly z.output<typeof Total>[], type: string): number | undefined {
  const found = totals.filter((total) => total.type === type)
  return found.length === 0 ? undefined : found.reduce((sum, { amount }) => sum + amount, 0)
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

import { defineTool, IdempotencyKey, ToolError } from '@surehand/core'
import { CartId, CheckoutToken } from '@surehand/documents'
import { z } from 'zod'
import { siteContracts } from '../contract/site-contract.ts'
import { shopperOf, siteIsOpen } from '../visitor-contract.ts'
import { OrderLines, TotalsShape, viewLine, viewTotals } from './cart-shape.ts'
import { approvedTotal, type CheckoutFacts, readCheckoutFacts } from './checkout-facts.ts'
import { orderWrite } from './commerce-contract.ts'
import { commerce, type Order } from './commerce-port.ts'
import { withinSpendLimit } from './spend-limit.ts'

export const placeOrder = defineTool({
  id: 'commerce.placeOrder',
  title: 'Place the order',
  category: 'commerce',
  description:
    'Places the order of a checkout. The visitor is always asked first and sees lines, totals and terms; if any of them changes before the order is placed, they are asked again. Read the total aloud before calling it.',
  input: z.object({
    cartId: CartId,
    checkoutToken: CheckoutToken,
    idempotencyKey: IdempotencyKey,
  }),
  output: z.object({
    orderId: z.string(),
    cartId: CartId,
    state: z.enum(['placed', 'payment_pending', 'paid', 'cancelled']),
    lines: OrderLines,
    totals: TotalsShape,
    placedAt: z.string(),
    url: z.string().optional(),
    payUrl: z.string().optional().describe('Where the visitor pays, if they still have to.'),
  }),
  contract: {
    ...orderWrite,
    reversible: false,
    idempotency: 'caller',
    latencyBudget: '1500ms',
    gates: [siteIsOpen, withinSpendLimit],
    approval: {
      kind: 'consent',
      expires: '15m',
      facts: ({ input, ports, caller, signal }) =>
        readCheckoutFacts(ports, caller, input.cartId, signal),
      asks: (_, { lines, total, language }: CheckoutFacts) =>
        language === 'de'
          ? `Die Bestellung aufgeben (${lines.join('; ')}), insgesamt ${total}?`
          : `Place the order (${lines.join('; ')}), ${total} in all?`,
    },
  },
  ports: { commerce, sites: siteContracts },
  examples: [
    {
      name: 'the cart',
      input: { cartId: 'cart_1', checkoutToken: 'chk_1', idempotencyKey: 'order-1' },
    },
    {
      name: 'another checkout',
      input: { cartId: 'cart_1', checkoutToken: 'chk_2', idempotencyKey: 'order-2' },
    },
  ],
  execute: async ({ input, caller, ports, facts, idempotencyKey, report, signal }) => {
    report({ message: 'The order is being placed.' })
    const { cartId, checkoutToken } = input
    const expectedTotal = approvedTotal(facts)
    if (expectedTotal === undefined)
      throw new ToolError(
        'TOOL_APPROVAL_DENIED',
        'The approval of this order states no total. Nothing was ordered.',
        { effect: 'none' },
      )
    const shopper = shopperOf(caller)
    return viewOrder(
      await ports.commerce.placeOrder(
        { shopper, cartId, checkoutToken, expectedTotal, idempotencyKey },
        signal,
      ),
    )
  },
})

function viewOrder({ orderId, cartId, state, lines, totals, placedAt, url, payUrl }: Order) {
  return {
    orderId,
    cartId,
    state,
    lines: lines.map(viewLine),
    totals: viewTotals(totals),
    placedAt,
    ...(url === undefined ? {} : { url }),
    ...(payUrl === undefined ? {} : { payUrl }),
  }
}

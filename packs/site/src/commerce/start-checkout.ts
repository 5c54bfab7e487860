import { defineTool, IdempotencyKey, ToolError } from '@surehand/core'
import { CartId, CheckoutToken, Url } from '@surehand/documents'
import { z } from 'zod'
import { siteContracts } from '../contract/site-contract.ts'
import { requireSite, shopperOf, siteIsOpen } from '../visitor-contract.ts'
import { TotalsShape, viewTotals } from './cart-shape.ts'
import { type CheckoutFacts, readCheckoutFacts } from './checkout-facts.ts'
import { orderWrite } from './commerce-contract.ts'
import { commerce } from './commerce-port.ts'
import { withinSpendLimit } from './spend-limit.ts'

type StartFacts = CheckoutFacts & { readonly takesPayment: boolean }

export const startCheckout = defineTool({
  id: 'commerce.startCheckout',
  title: 'Start the checkout',
  category: 'commerce',
  description:
    'Starts the checkout of a cart and returns the token that commerce.placeOrder needs. Where the shop takes a payment or a hold at this point, the visitor is asked first. If payUrl is returned, the visitor enters their card there; never ask for card numbers.',
  input: z.object({ cartId: CartId, returnUrl: Url, idempotencyKey: IdempotencyKey }),
  output: z.object({
    checkoutToken: CheckoutToken,
    cartId: CartId,
    state: z.enum(['ready', 'payment_required']),
    totals: TotalsShape,
    payUrl: z.string().optional(),
    expiresAt: z.string().optional(),
  }),
  contract: {
    ...orderWrite,
    reversible: true,
    idempotency: 'caller',
    latencyBudget: '1s',
    gates: [siteIsOpen, withinSpendLimit],
    approval: {
      kind: 'consent',
      expires: '15m',
      facts: async ({ input, ports, caller, signal }): Promise<StartFacts> => {
        const { contract } = await requireSite(ports.sites, caller, signal)
        return {
          ...(await readCheckoutFacts(ports, caller, input.cartId, signal)),
          takesPayment: contract.commerce?.checkoutTakesPayment ?? true,
        }
      },
      unless: (_, { takesPayment }: StartFacts) => !takesPayment,
      asks: (_, { lines, total, language }: StartFacts) =>
        language === 'de'
          ? `Zur Kasse gehen (${lines.join('; ')}), insgesamt ${total}?`
          : `Start the checkout (${lines.join('; ')}), ${total} in all?`,
    },
  },
  ports: { commerce, sites: siteContracts },
  examples: [
    {
      name: 'back to the cart page',
      input: {
        cartId: 'cart_1',
        returnUrl: 'https://shop.example/cart',
        idempotencyKey: 'checkout-1',
      },
    },
    {
      name: 'back to the start page',
      input: { cartId: 'cart_1', returnUrl: 'https://shop.example/', idempotencyKey: 'checkout-2' },
    },
  ],
  async check({ input: { returnUrl }, caller, ports }) {
    const { contract } = await requireSite(ports.sites, caller)
    if (contract.origins.includes(new URL(returnUrl).origin)) return
    throw new ToolError(
      'TOOL_INVALID_FIELD_VALUE',
      `returnUrl must be a page of the site (${contract.origins.join(', ')}). Nothing was started.`,
      { effect: 'none', details: { field: 'returnUrl', origins: contract.origins } },
    )
  },
  execute: async ({ input, caller, ports, idempotencyKey, report, signal }) => {
    report({ message: 'The checkout is being started.' })
    const { cartId, returnUrl } = input
    const checkout = await ports.commerce.startCheckout(
      { shopper: shopperOf(caller), cartId, returnUrl, idempotencyKey },
      signal,
    )
    return {
      checkoutToken: checkout.checkoutToken,
      cartId: checkout.cartId,
      state: checkout.state,
      totals: viewTotals(checkout.totals),
      ...(checkout.payUrl === undefined ? {} : { payUrl: checkout.payUrl }),
      ...(checkout.expiresAt === undefined ? {} : { expiresAt: checkout.expiresAt }),
    }
  },
})

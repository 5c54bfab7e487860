import { defineTool, IdempotencyKey, sensitive } from '@surehand/core'
import { ProductId, Quantity } from '@surehand/documents'
import { z } from 'zod'
import { OrderShape } from './order-shape.ts'
import { shopPort } from './shop-port.ts'

type Quote = { readonly price: string; readonly total: string }

export const buy = defineTool({
  id: 'shop.buy',
  title: 'Buy a product',
  category: 'integration',
  description:
    'Buys a product in the demo shop, after a person has approved it. A demo: no money moves.',
  input: z.object({
    productId: ProductId,
    quantity: Quantity.default(1),
    cardToken: sensitive(z.string().max(64))
      .optional()
      .describe('A stored card. Without it, the account of the shop pays.'),
    idempotencyKey: IdempotencyKey,
  }),
  output: OrderShape,
  contract: {
    effect: 'writes.order',
    reversible: false,
    idempotency: 'caller',
    permissions: { roles: ['user'], capabilities: ['shop.buy'] },
    approval: {
      facts: async ({ input: { productId, quantity }, ports, signal }): Promise<Quote> => {
        const { amount, currency } = await ports.shop.price({ productId }, signal)
        const format = (cents: number): string => `${(cents / 100).toFixed(2)} ${currency}`
        return { price: format(amount), total: format(amount * quantity) }
      },
      asks: ({ productId, quantity }, { total }: Quote) => ({
        headline: `Buy ${quantity} × ${productId} for ${total}?`,
        consequence: 'The card is charged once. (A demo: no money moves.)',
      }),
    },
    timeout: '5s',
    retries: 2,
    limits: [{ calls: 20, per: '1m' }],
  },
  ports: { shop: shopPort },
  examples: [
    { name: 'two teas', input: { productId: 'tea', quantity: 2, idempotencyKey: 'order-1' } },
  ],
  execute: ({ input: { productId, quantity }, caller, ports, idempotencyKey, signal }) =>
    ports.shop.charge({ tenant: caller.tenant, productId, quantity, idempotencyKey }, signal),
})

import { defineTool, IdempotencyKey } from '@surehand/core'
import { ProductId } from '@surehand/documents'
import { z } from 'zod'
import { buy } from './buy.ts'
import { OrderShape } from './order-shape.ts'
import { price } from './price.ts'

const Card = z.object({
  words: z.string().min(1).max(200).describe('What the card says.'),
  wrap: z.boolean().describe('Wrapped in paper.'),
})

export const gift = defineTool({
  id: 'shop.gift',
  title: 'Buy a gift',
  category: 'integration',
  description:
    'Buys a gift in the demo shop: looks up its price, asks a person what the card shall say, and buys it after a person has approved it. A demo: no money moves.',
  kind: 'interactive',
  input: z.object({
    productId: ProductId,
    to: z.string().min(1).max(60).describe('Who it is for.'),
    idempotencyKey: IdempotencyKey,
  }),
  output: z.object({ order: OrderShape, card: Card }),
  contract: {
    effect: 'writes.order',
    reversible: false,
    idempotency: 'caller',
    permissions: { roles: ['user'], capabilities: ['shop.buy'] },
    timeout: '1m',
  },
  examples: [
    { name: 'tea for Bob', input: { productId: 'tea', to: 'Bob', idempotencyKey: 'gift-1' } },
  ],
  execute: async ({ input: { productId, to }, step, ask, report }) => {
    const { amount, currency } = await step('price', price, { productId })
    report({ fraction: 0.3, message: `${productId} costs ${amount / 100} ${currency}` })
    const card = await ask(Card, `What shall the card with the ${productId} for ${to} say?`, {
      id: 'card',
      shows: { words: `For ${to}`, wrap: true },
      timeout: '1d',
    })
    const order = await step('buy', buy, { productId, quantity: 1 })
    return { order, card }
  },
})

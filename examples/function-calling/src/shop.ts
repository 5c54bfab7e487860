import {
  type Caller,
  createRuntime,
  definePack,
  defineTool,
  memoryStores,
  type Runtime,
} from '@surehand/core'
import { z } from 'zod'

/** Ada's assistant: it acts for her, and cannot approve anything in her name. */
export const assistant: Caller = {
  tenant: 'shop',
  principal: 'ada',
  actor: 'ai_agent',
  roles: ['user'],
  capabilities: [],
}
/** A person of the shop who may approve. */
export const shopkeeper: Caller = {
  tenant: 'shop',
  principal: 'kim',
  actor: 'user',
  roles: ['admin'],
  capabilities: ['approvals.decide'],
}

const PRICES: Readonly<Record<string, number>> = { tea: 320, coffee: 410 }

export type Shop = {
  readonly runtime: Runtime
  readonly orders: readonly string[]
  readonly refunds: readonly number[]
}

export function openShop(): Shop {
  const orders: string[] = []
  const refunds: number[] = []
  const price = defineTool({
    id: 'shop.price',
    title: 'Price of a drink',
    category: 'custom',
    description: 'Returns the price of a drink in cents. Use it before you order.',
    input: z.object({ drink: z.string().describe('tea or coffee') }),
    output: z.object({ drink: z.string(), cents: z.int().nullable() }),
    contract: { effect: 'read' },
    execute: async ({ input }) => ({ drink: input.drink, cents: PRICES[input.drink] ?? null }),
  })
  const order = defineTool({
    id: 'shop.order',
    title: 'Order a drink',
    category: 'custom',
    description: 'Orders a drink. It is charged at once.',
    input: z.object({
      drink: z.string(),
      cups: z.int().min(1).max(9).default(1),
      extras: z.record(z.string(), z.string()).optional(),
    }),
    output: z.object({ order: z.int() }),
    contract: { effect: 'writes.order', reversible: true, idempotency: 'caller' },
    async execute({ input }) {
      orders.push(`${input.cups} × ${input.drink}`)
      return { order: orders.length }
    },
  })
  const refund = defineTool({
    id: 'shop.refund',
    title: 'Refund an order',
    category: 'custom',
    description: 'Refunds an order. A person of the shop must approve it.',
    input: z.object({ order: z.int() }),
    output: z.object({ refunded: z.int() }),
    contract: {
      effect: 'writes.refund',
      reversible: true,
      idempotency: 'caller',
      approval: ({ order }) => `Refund order ${order}?`,
    },
    async execute({ input }) {
      refunds.push(input.order)
      return { refunded: input.order }
    },
  })
  const runtime = createRuntime({
    packs: [definePack({ name: 'shop', tools: [price, order, refund] })],
    stores: memoryStores(),
    providers: {},
  })
  return { runtime, orders, refunds }
}

export const WISH = 'What do tea and coffee cost? Order two cups of tea, and pay my order 7 back.'

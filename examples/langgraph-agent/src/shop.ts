import {
  type Caller,
  createRuntime,
  definePack,
  defineTool,
  memoryStores,
  type Runtime,
} from '@surehand/core'
import { z } from 'zod'

/**
 * The name under which this terminal relays decisions; the shop's policy trusts it for reversible
 * actions.
 */
export const HOST = 'terminal'

/** Ann's agent. */
export const caller: Caller = {
  tenant: 'flowers',
  principal: 'ann',
  actor: 'ai_agent',
  roles: ['user'],
  capabilities: [],
}

export type Shop = { readonly runtime: Runtime; readonly orders: readonly string[] }

const CENTS: Readonly<Record<string, number>> = { roses: 290, tulips: 120, lilies: 350 }

/** A demo flower shop: it records orders and charges nothing. */
export function openShop(): Shop {
  const orders: string[] = []
  const Flower = z.enum(['roses', 'tulips', 'lilies'])
  const price = defineTool({
    id: 'shop.price',
    title: 'Look up a price',
    category: 'custom',
    description: 'The price of one stem, in cents. Use it before you order.',
    input: z.object({ flower: Flower }),
    output: z.object({ flower: Flower, cents: z.int() }),
    contract: { effect: 'read' },
    execute: async ({ input: { flower } }) => ({ flower, cents: CENTS[flower] ?? 0 }),
  })
  const order = defineTool({
    id: 'shop.order',
    title: 'Order flowers',
    category: 'custom',
    description: 'Orders flowers. A person must approve it first.',
    input: z.object({ flower: Flower, stems: z.int().min(1).max(500) }),
    output: z.object({ order: z.string() }),
    contract: {
      effect: 'writes.order',
      reversible: true,
      idempotency: 'caller',
      approval: ({ flower, stems }) =>
        `Order ${stems} ${flower} for ${((CENTS[flower] ?? 0) * stems) / 100} EUR?`,
    },
    async execute({ input: { flower, stems } }) {
      orders.push(`${stems} ${flower}`)
      return { order: `${stems} ${flower}` }
    },
  })
  const runtime = createRuntime({
    packs: [definePack({ name: 'shop', tools: [price, order] })],
    stores: memoryStores(),
    policyOf: () => ({ version: 1, trustedHosts: [HOST] }),
  })
  return { runtime, orders }
}

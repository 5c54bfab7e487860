import { type Caller, defineTool, IdempotencyKey } from '@surehand/core'
import { z } from 'zod'

/** An agent that acts for Ann, and one that acts for Bob, in the same tenant. */
export const ann: Caller = {
  tenant: 'acme',
  principal: 'ann',
  actor: 'ai_agent',
  roles: ['user'],
  capabilities: [],
  session: 'ann',
}
export const bob: Caller = { ...ann, principal: 'bob', session: 'bob' }

const Product = z.object({ product: z.string() })
const common = { category: 'custom', output: z.object({ order: z.string() }) } as const
const write = { effect: 'writes.order', idempotency: 'caller' } as const

/**
 * The writes of a test shop: without approval, with approval, and irreversible. Each appends what
 * it has done to `done`.
 */
export function createShopTools(done: string[]) {
  async function placeOrder(product: string): Promise<{ order: string }> {
    done.push(product)
    return { order: `order ${done.length}` }
  }
  const order = defineTool({
    ...common,
    id: 'shop.order',
    title: 'Order a product',
    description: 'Orders a product.',
    input: Product.extend({ idempotencyKey: IdempotencyKey }),
    contract: { ...write, reversible: true },
    examples: [{ name: 'tea', input: { product: 'tea', idempotencyKey: 'k' } }],
    execute: ({ input }) => placeOrder(input.product),
  })
  const orderDear = defineTool({
    ...common,
    id: 'shop.orderDear',
    title: 'Order an expensive product',
    description: 'Orders an expensive product. A person must approve it.',
    input: Product,
    contract: { ...write, reversible: true, approval: ({ product }) => `Order ${product}?` },
    execute: ({ input }) => placeOrder(input.product),
  })
  const burn = defineTool({
    ...common,
    id: 'shop.burn',
    title: 'Burn a product',
    description: 'Destroys a product. It cannot be undone.',
    input: Product,
    contract: { ...write, reversible: false, approval: ({ product }) => `Burn ${product}?` },
    async execute({ input }) {
      done.push(`-${input.product}`)
      return { order: 'ashes' }
    },
  })
  return { order, orderDear, burn }
}

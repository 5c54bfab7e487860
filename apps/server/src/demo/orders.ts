import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { OrderShape } from './order-shape.ts'
import { shopPort } from './shop-port.ts'

export const orders = defineTool({
  id: 'shop.orders',
  title: 'List the orders',
  category: 'integration',
  description: 'Lists the orders of the demo shop so far.',
  input: z.object({ limit: z.int().min(1).max(100).default(20) }),
  output: z.object({ orders: z.array(OrderShape), total: z.int() }),
  contract: { effect: 'read', permissions: { capabilities: ['shop.read'] }, timeout: '5s' },
  ports: { shop: shopPort },
  examples: [{ name: 'the last ones', input: { limit: 5 } }],
  execute: async ({ input, caller, ports, signal }) => {
    const all = await ports.shop.orders({ tenant: caller.tenant }, signal)
    return { orders: all.slice(-input.limit), total: all.length }
  },
})

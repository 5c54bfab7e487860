import { defineTool } from '@surehand/core'
import { Money, ProductId } from '@surehand/documents'
import { z } from 'zod'
import { shopPort } from './shop-port.ts'

export const price = defineTool({
  id: 'shop.price',
  title: 'Look up a price',
  category: 'integration',
  description:
    'The price of a product in the demo shop, in the smallest unit of its currency. Use it before you offer to buy anything.',
  input: z.object({
    productId: ProductId.describe('Any name will do: the demo shop has everything.'),
  }),
  output: Money,
  contract: { effect: 'read', cache: { ttl: '1m', shared: true }, timeout: '2s' },
  ports: { shop: shopPort },
  examples: [{ name: 'tea', input: { productId: 'tea' } }],
  execute: ({ input, ports, signal }) => ports.shop.price(input, signal),
})

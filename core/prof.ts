import { z } from 'zod'
import { createRuntime, definePack, defineTool } from '@surehand/core'
import { memoryStores } from '@surehand/memory'
const tool = defineTool({
  id: 'commerce.addToCart',
  title: 'Add',
  category: 'custom',
  description: 'adds',
  input: z.object({
    productId: z.string().min(1).max(64),
    variantId: z.string().min(1).max(64),
    quantity: z.number().int().min(1).max(999),
    notes: z.string().max(400).optional(),
    customer: z.object({ email: z.string().max(200), locale: z.string() }),
    tags: z.array(z.string()).max(10),
  }),
  output: z.object({ cartId: z.string(), lines: z.number().int(), total: z.object({ amount: z.number().int(), currency: z.string() }) }),
  contract: { effect: 'read' },
  execute: async ({ input }) => ({ cartId: 'cart_1', lines: input.quantity, total: { amount: 1299, currency: 'EUR' } }),
})
const runtime = createRuntime({ packs: [definePack({ name: 'p', tools: [tool] })], stores: memoryStores() })
const caller = { tenant: 't', principal: 'ann', actor: 'user', roles: ['user'], capabilities: [] } as const
const input = {
  productId: 'prod_8234',
  variantId: 'var_23423',
  quantity: 3,
  notes: 'please wrap it as a gift and put the small card with the blue ribbon on top of the box, thank you very much',
  customer: { email: 'ann.example@example.com', locale: 'en-GB' },
  tags: ['gift', 'spring', 'express', 'blue-ribbon'],
}
for (let r = 0; r < 8; r++) {
  const t = performance.now()
  for (let i = 0; i < 100000; i++) await runtime.call({ tool, input, caller })
  console.log((((performance.now() - t) / 100000) * 1000).toFixed(2), 'µs')
}

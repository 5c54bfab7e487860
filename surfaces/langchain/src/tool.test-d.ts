import { defineTool, IdempotencyKey, type Runtime } from '@surehand/core'
import { z } from 'zod'
import { agent, priceTool } from './fixtures/shop.ts'
import { tool } from './tool.ts'

declare const runtime: Runtime

const price = tool(runtime, agent, priceTool)

void price.invoke({ product: 'tea' })
// @ts-expect-error a product is a string
void price.invoke({ product: 7 })
// @ts-expect-error the caller is required
void tool(runtime, priceTool)

const keyed = defineTool({
  id: 'shop.keyed',
  title: 'Keyed',
  category: 'custom',
  description: 'Takes a key in its input.',
  input: z.object({ product: z.string(), idempotencyKey: IdempotencyKey }),
  output: z.string(),
  contract: { effect: 'writes.order', reversible: true, idempotency: 'caller' },
  execute: async ({ input }) => input.product,
})
// The idempotency key is not part of the input.
void tool(runtime, agent, keyed).invoke({ product: 'tea' })

import { genkit, z } from 'genkit'
import { type Start, subject } from '../../harness/contender.ts'
import { addToCart, type CartInput, type CartOutput, TOOL_DESCRIPTION, TOOL_NAME } from '../tool.ts'

// Genkit has its own zod 3, so the schemas are written again with it.
const input = z
  .object({
    productId: z.string().min(1).max(64),
    variantId: z.string().min(1).max(64),
    quantity: z.number().int().min(1).max(999),
    notes: z.string().max(400).optional(),
    customer: z.object({ email: z.string().email(), locale: z.string().min(2).max(20) }).strict(),
    tags: z.array(z.string().min(1).max(40)).max(20),
  })
  .strict()

const output = z
  .object({
    cartId: z.string(),
    lineId: z.string(),
    quantity: z.number().int().min(1),
    totalCents: z.number().int().max(1_000_000),
    currency: z.literal('EUR'),
  })
  .strict()

export const genkitTool: Start = async () => {
  const ai = genkit({})
  const tool = ai.defineTool(
    { name: TOOL_NAME, description: TOOL_DESCRIPTION, inputSchema: input, outputSchema: output },
    (value) =>
      // Zod 3 types an optional field as possibly undefined, which parsed JSON never contains.
      addToCart(value as CartInput),
  )
  return subject({
    payload: (value) => value as CartInput,
    call: (value): Promise<CartOutput> => tool(value),
    output: (answer) => answer,
  })
}

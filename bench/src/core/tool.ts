import { z } from 'zod'

/** The one tool of every contender: six nested input fields, strict, about 362 bytes of JSON in and 125 out. */
export const cartInput = z.strictObject({
  productId: z.string().min(1).max(64),
  variantId: z.string().min(1).max(64),
  quantity: z.int().min(1).max(999),
  notes: z.string().max(400).optional(),
  customer: z.strictObject({ email: z.email(), locale: z.string().min(2).max(20) }),
  tags: z.array(z.string().min(1).max(40)).max(20),
})

export const cartOutput = z.strictObject({
  cartId: z.string(),
  lineId: z.string(),
  quantity: z.int().min(1),
  totalCents: z.int().max(1_000_000),
  currency: z.literal('EUR'),
})

export type CartInput = z.infer<typeof cartInput>
export type CartOutput = z.infer<typeof cartOutput>

export const TOOL_NAME = 'add_to_cart'
export const TOOL_DESCRIPTION =
  'Put a product into the cart of the customer. Use it once the customer has named the product and the quantity.'

const PRICE_CENTS = 1299

/** The tool's work, the same in every contender: next to nothing, so that the time is the contender's. */
export async function addToCart(input: CartInput): Promise<CartOutput> {
  return {
    cartId: 'cart_01JD3M6Q8W2ZK5T9V1B7C4',
    lineId: `line_${input.variantId}`,
    quantity: input.quantity,
    totalCents: input.quantity * PRICE_CENTS,
    currency: 'EUR',
  }
}

import type { CartInput } from './tool.ts'

/** Sixteen inputs of one size, used in turn: a cached answer of the previous call would be wrong. */
export const inputs: readonly CartInput[] = Array.from({ length: 16 }, (_, index) => input(index))

/** Strict schemas refuse an unknown field and an invalid address. A tool that is run without validation answers both normally. */
export const invalidInputs: readonly object[] = [
  { ...input(0), coupon: 'FREE' },
  { ...input(1), customer: { email: 'not an address', locale: 'de-DE' } },
]

/** Valid as an input, but the total in its answer is above what the output schema allows. */
export const overflowingInput: CartInput = { ...input(2), quantity: 999 }

function input(index: number): CartInput {
  return {
    productId: `prod_01JD3KX9V7E4T2B6N8${10 + index}`,
    variantId: `var_sage_green_${10 + index}`,
    quantity: 10 + index,
    notes:
      'Please wrap it as a present and leave the price tag off; the card should say "Happy birthday, Amélie". Ring twice at the back door.',
    customer: { email: 'amelie.duchamp@example.com', locale: 'fr-FR' },
    tags: ['gift', 'birthday', 'fragile', 'summer-sale', 'newsletter'],
  }
}

import { defineTool } from '@surehand/core'
import { ProductId, Quantity, VariantId } from '@surehand/documents'
import { z } from 'zod'
import { siteContracts } from '../contract/site-contract.ts'
import { shopperOf } from '../visitor-contract.ts'
import { CartLineId, CartShape, viewCart } from './cart-shape.ts'
import { cartWrite } from './commerce-contract.ts'
import { commerce } from './commerce-port.ts'

export const addToCart = defineTool({
  id: 'commerce.addToCart',
  title: 'Add to cart',
  category: 'commerce',
  description:
    "Adds a product variant to the visitor's cart and returns the cart. Without a variant the shop chooses its default. Nothing is bought by it.",
  input: z.object({
    productId: ProductId,
    variantId: VariantId.optional(),
    quantity: Quantity.default(1),
    notes: z.string().max(400).optional().describe('For the shop: a card text, measurements.'),
    idempotencyKey: z.uuid(),
  }),
  output: z.object({ cartLineId: CartLineId, cart: CartShape }),
  contract: { ...cartWrite, idempotency: 'caller' },
  ports: { commerce, sites: siteContracts },
  examples: [
    {
      name: 'two bunches',
      input: {
        productId: 'red-roses',
        quantity: 2,
        idempotencyKey: '3f1c9a52-7d0b-4f0e-9a34-5a1f0c2f7d11',
      },
    },
    {
      name: 'a variant with a card',
      input: {
        productId: 'red-roses',
        variantId: 'red-roses-large',
        notes: 'Card: "Happy birthday, Ada"',
        idempotencyKey: '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d',
      },
    },
  ],
  execute: async ({ input, caller, ports, idempotencyKey, signal }) => {
    const { productId, variantId, quantity, notes } = input
    const { cart, cartLineId } = await ports.commerce.addLine(
      { shopper: shopperOf(caller), productId, variantId, quantity, notes, idempotencyKey },
      signal,
    )
    return { cartLineId, cart: viewCart(cart) }
  },
})

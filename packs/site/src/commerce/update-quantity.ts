import { defineTool, IdempotencyKey } from '@surehand/core'
import { Quantity } from '@surehand/documents'
import { z } from 'zod'
import { siteContracts } from '../contract/site-contract.ts'
import { shopperOf } from '../visitor-contract.ts'
import { CartLineId, CartShape, viewCart } from './cart-shape.ts'
import { cartWrite } from './commerce-contract.ts'
import { commerce } from './commerce-port.ts'

export const updateQuantity = defineTool({
  id: 'commerce.updateQuantity',
  title: 'Change a quantity',
  category: 'commerce',
  description:
    'Sets the quantity of a line of the cart and returns the cart. To take a line out, use commerce.removeFromCart.',
  input: z.object({
    cartLineId: CartLineId,
    quantity: Quantity,
    idempotencyKey: IdempotencyKey.optional(),
  }),
  output: z.object({ cart: CartShape }),
  // The shop is given a key of line, quantity and the revision of the cart that the session last saw
  // (providers/seen-revisions.ts): 2 → 3 → 2 are three effects, a repetition of one is none.
  contract: { ...cartWrite, idempotency: 'caller' },
  ports: { commerce, sites: siteContracts },
  examples: [
    { name: 'three', input: { cartLineId: 'line_1', quantity: 3 } },
    { name: 'one', input: { cartLineId: 'line_1', quantity: 1 } },
  ],
  execute: async ({ input: { cartLineId, quantity }, caller, ports, idempotencyKey, signal }) => {
    const cart = await ports.commerce.updateLine(
      { shopper: shopperOf(caller), cartLineId, quantity, idempotencyKey },
      signal,
    )
    return { cart: viewCart(cart) }
  },
})

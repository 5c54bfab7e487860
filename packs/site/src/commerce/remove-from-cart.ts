import { defineTool, IdempotencyKey } from '@surehand/core'
import { z } from 'zod'
import { siteContracts } from '../contract/site-contract.ts'
import { shopperOf } from '../visitor-contract.ts'
import { CartLineId, CartShape, viewCart } from './cart-shape.ts'
import { cartWrite } from './commerce-contract.ts'
import { commerce } from './commerce-port.ts'

export const removeFromCart = defineTool({
  id: 'commerce.removeFromCart',
  title: 'Remove from cart',
  category: 'commerce',
  description: 'Takes a line out of the cart and returns the cart.',
  input: z.object({ cartLineId: CartLineId, idempotencyKey: IdempotencyKey.optional() }),
  output: z.object({ cart: CartShape }),
  contract: { ...cartWrite, idempotency: 'caller' },
  ports: { commerce, sites: siteContracts },
  examples: [
    { name: 'a line', input: { cartLineId: 'line_1' } },
    { name: 'another', input: { cartLineId: 'line_2' } },
  ],
  execute: async ({ input: { cartLineId }, caller, ports, idempotencyKey, signal }) => {
    const cart = await ports.commerce.removeLine(
      { shopper: shopperOf(caller), cartLineId, idempotencyKey },
      signal,
    )
    return { cart: viewCart(cart) }
  },
})

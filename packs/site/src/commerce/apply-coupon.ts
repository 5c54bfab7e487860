import { defineTool, IdempotencyKey } from '@surehand/core'
import { CartId, CouponCode } from '@surehand/documents'
import { z } from 'zod'
import { siteContracts } from '../contract/site-contract.ts'
import { shopperOf } from '../visitor-contract.ts'
import { CartShape, viewCart } from './cart-shape.ts'
import { cartWrite } from './commerce-contract.ts'
import { commerce } from './commerce-port.ts'

export const applyCoupon = defineTool({
  id: 'commerce.applyCoupon',
  title: 'Apply a coupon',
  category: 'commerce',
  description:
    "Applies a discount code to the visitor's cart and returns the cart with its new totals. Only codes that the visitor or the site gave; never guess one.",
  input: z.object({ cartId: CartId, code: CouponCode, idempotencyKey: IdempotencyKey }),
  output: z.object({ cart: CartShape }),
  contract: { ...cartWrite, idempotency: 'caller' },
  ports: { commerce, sites: siteContracts },
  examples: [
    {
      name: 'ten percent',
      input: { cartId: 'cart_1', code: 'SPRING10', idempotencyKey: 'coupon-1' },
    },
    { name: 'five euros', input: { cartId: 'cart_1', code: 'FIVE', idempotencyKey: 'coupon-2' } },
  ],
  execute: async ({ input: { cartId, code }, caller, ports, idempotencyKey, signal }) => {
    const cart = await ports.commerce.applyCoupon(
      { shopper: shopperOf(caller), cartId, code, idempotencyKey },
      signal,
    )
    return { cart: viewCart(cart) }
  },
})

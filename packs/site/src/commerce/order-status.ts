import { defineTool } from '@surehand/core'
import { CartId, Money } from '@surehand/documents'
import { z } from 'zod'
import { shopperOf, visitorPermissions } from '../visitor-contract.ts'
import { commerce } from './commerce-port.ts'

export const orderStatus = defineTool({
  id: 'commerce.orderStatus',
  title: 'Status of the order',
  category: 'commerce',
  description:
    'Says whether the order of a cart was placed, and whether the visitor has paid it. Use it after the visitor was sent to the payment page: card numbers are entered there and never told to an agent.',
  input: z.object({ cartId: CartId }),
  output: z.object({
    state: z.enum(['none', 'placed', 'payment_pending', 'paid', 'cancelled']),
    orderId: z.string().optional(),
    total: Money.optional(),
    payUrl: z.string().optional(),
  }),
  contract: {
    effect: 'none',
    auth: 'session',
    permissions: visitorPermissions,
    latencyBudget: '300ms',
    timeout: '5s',
    retries: 1,
  },
  ports: { commerce },
  examples: [{ name: 'the cart', input: { cartId: 'cart_1' } }],
  execute: async ({ input: { cartId }, caller, ports, signal }) => {
    const order = await ports.commerce.order({ shopper: shopperOf(caller), cartId }, signal)
    if (order === null) return { state: 'none' as const }
    const { state, orderId, totals, payUrl } = order
    return {
      state,
      orderId,
      total: { ...totals.total },
      ...(payUrl === undefined ? {} : { payUrl }),
    }
  },
})

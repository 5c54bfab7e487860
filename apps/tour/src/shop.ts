import {
  definePack,
  definePort,
  defineTool,
  IdempotencyKey,
  sameKey,
  sensitive,
  ToolError,
} from '@surehand/core'
import { fromNetworkFailure } from '@surehand/core/host'
import { Money, ProductId, Quantity } from '@surehand/documents'
import { z } from 'zod'

type Payments = {
  readonly charge: (
    order: {
      readonly productId: string
      readonly quantity: number
      readonly idempotencyKey: string
    },
    signal: AbortSignal,
  ) => Promise<{ readonly receipt: string }>
  readonly price: (
    product: { readonly productId: string },
    signal: AbortSignal,
  ) => Promise<{ readonly amount: number; readonly currency: string }>
}

const payments = definePort<Payments>('payments', {
  charge: sameKey({ validFor: '24h' }),
  price: 'read',
})

export const price = defineTool({
  id: 'shop.price',
  title: 'Look up a price',
  category: 'integration',
  description: 'The price of a product. Use it before you offer to buy anything.',
  input: z.object({ productId: ProductId }),
  output: Money,
  contract: {
    effect: 'read',
    cache: { ttl: '1m', shared: true },
    timeout: '200ms',
    retries: 0,
    fallback: () => ({ amount: 0, currency: 'EUR' }),
  },
  ports: { payments },
  examples: [{ name: 'tea', input: { productId: 'tea' } }],
  execute: ({ input, ports, signal }) => ports.payments.price(input, signal),
})

export const buy = defineTool({
  id: 'shop.buy',
  title: 'Buy a product',
  category: 'integration',
  description: 'Buys a product and charges the stored card. This cannot be undone.',
  input: z.object({
    productId: ProductId,
    quantity: Quantity.default(1),
    cardToken: sensitive(z.string().max(64)).optional(),
    idempotencyKey: IdempotencyKey,
  }),
  output: z.object({ receipt: z.string() }),
  contract: {
    effect: 'writes.order',
    reversible: false,
    idempotency: 'caller',
    permissions: { roles: ['user'], capabilities: ['shop.buy'] },
    approval: ({ productId, quantity }) => `Buy ${quantity} × ${productId} and charge the card?`,
    timeout: '200ms',
    retries: 2,
    limits: [{ calls: 3, per: '1m' }],
  },
  ports: { payments },
  examples: [{ name: 'one tea', input: { productId: 'tea', idempotencyKey: 'example-1' } }],
  execute: ({ input, ports, idempotencyKey, signal }) =>
    ports.payments.charge(
      { productId: input.productId, quantity: input.quantity, idempotencyKey },
      signal,
    ),
})

export const shop = definePack({
  name: 'shop',
  tools: [price, buy],
  grants: { user: ['shop.buy'] },
})

/** The payment service of the tour: it remembers what it charged, and can be made to fail. */
export function createPaymentService(): Payments & {
  readonly charges: () => number
  readonly setBehaviour: (how: 'reset after commit' | 'hang' | 'down' | 'normal') => void
} {
  const receipts = new Map<string, string>()
  let behaviour = 'normal'
  return {
    charges: () => receipts.size,
    setBehaviour(how) {
      behaviour = how
    },
    async charge({ productId, idempotencyKey }) {
      const receipt = receipts.get(idempotencyKey) ?? `rcpt-${receipts.size + 1}-${productId}`
      receipts.set(idempotencyKey, receipt)
      if (behaviour === 'reset after commit') {
        behaviour = 'normal'
        throw fromNetworkFailure(
          Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }),
          'The payment service',
        )
      }
      return { receipt }
    },
    async price({ productId }) {
      if (behaviour === 'hang') return new Promise(() => undefined)
      if (behaviour === 'down')
        throw new ToolError(
          'TOOL_EXTERNAL_SERVICE_ERROR',
          'The payment service responds with status 503.',
        )
      return { amount: productId.length * 433, currency: 'EUR' }
    },
  }
}

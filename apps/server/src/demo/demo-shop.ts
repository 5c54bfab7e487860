import type { ValueStore } from '@surehand/core/ports'
import { z } from 'zod'
import type { Order, Shop } from './shop-port.ts'

const ORDERS = 'demo-shop/order/'
const StoredOrder = z.object({
  receipt: z.string(),
  productId: z.string(),
  quantity: z.number(),
  note: z.string(),
})

/** A demo shop: it stores each order under its idempotency key and takes no money. */
export function createDemoShop(values: ValueStore): Shop {
  return {
    async charge({ tenant, productId, quantity, idempotencyKey }) {
      const key = `${ORDERS}${idempotencyKey}`
      const before = await values.get(tenant, key)
      if (before !== undefined) return StoredOrder.parse(JSON.parse(before))
      const number = (await values.list(tenant, ORDERS)).length + 1
      const order: Order = {
        receipt: `demo-${number}`,
        productId,
        quantity,
        note: 'a demo: nothing was bought',
      }
      await values.set(tenant, key, JSON.stringify(order))
      return order
    },
    // Every product has a price, which never changes.
    price: async ({ productId }) => ({ amount: productId.length * 433, currency: 'EUR' }),
    orders: async ({ tenant }) =>
      (await values.list(tenant, ORDERS)).map(({ value }) => StoredOrder.parse(JSON.parse(value))),
  }
}

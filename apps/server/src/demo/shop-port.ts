import { definePort, sameKey } from '@surehand/core'

export type Order = {
  readonly receipt: string
  readonly productId: string
  readonly quantity: number
  readonly note: string
}
export type OrderRequest = {
  readonly tenant: string
  readonly productId: string
  readonly quantity: number
  readonly idempotencyKey: string
}

export type Shop = {
  readonly charge: (wanted: OrderRequest, signal: AbortSignal) => Promise<Order>
  readonly price: (
    product: { readonly productId: string },
    signal: AbortSignal,
  ) => Promise<{ readonly amount: number; readonly currency: string }>
  readonly orders: (
    whose: { readonly tenant: string },
    signal: AbortSignal,
  ) => Promise<readonly Order[]>
}

export const shopPort = definePort<Shop>('demoShop', {
  charge: sameKey({ validFor: '24h' }),
  price: 'read',
  orders: 'read',
})

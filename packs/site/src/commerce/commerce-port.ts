import { definePort, sameKey } from '@surehand/core'
import type { Money } from '@surehand/documents'

/** Whose cart it is. A shop that has sessions of its own gets one per visitor. */
export type Shopper = {
  readonly tenant: string
  readonly session: string
  readonly locale?: string | undefined
}

export type Variant = {
  readonly variantId: string
  readonly name: string
  readonly price: Money
  readonly inStock: boolean
  /** How many can be bought now; undefined where the shop does not say. */
  readonly available?: number | undefined
  /** Size, colour and the like, by name. */
  readonly attributes: Readonly<Record<string, string>>
}

export type ProductVariants = {
  readonly productId: string
  readonly name: string
  readonly url?: string | undefined
  readonly variants: readonly Variant[]
}

export type CartLine = {
  readonly cartLineId: string
  readonly productId: string
  readonly variantId: string
  readonly name: string
  readonly quantity: number
  readonly unitPrice: Money
  readonly total: Money
  readonly notes?: string | undefined
}

export type Totals = {
  readonly subtotal: Money
  readonly discount: Money
  readonly shipping: Money
  readonly tax: Money
  readonly total: Money
}

export type Cart = {
  readonly cartId: string
  /** Grows with every change of the cart. */
  readonly revision: number
  readonly state: 'open' | 'ordered'
  readonly lines: readonly CartLine[]
  readonly coupons: readonly string[]
  readonly totals: Totals
  /** The page on which the visitor sees this cart. */
  readonly url?: string | undefined
}

/** What an order would be: the facts of its approval. Nothing in it is new at every reading. */
export type CheckoutQuote = {
  readonly cartId: string
  readonly lines: readonly {
    readonly name: string
    readonly quantity: number
    readonly total: Money
  }[]
  readonly totals: Totals
  /** Terms of sale, delivery and return, in sentences. */
  readonly terms: readonly string[]
}

export type Checkout = {
  readonly checkoutToken: string
  readonly cartId: string
  readonly state: 'ready' | 'payment_required'
  readonly totals: Totals
  /** Where the visitor enters what the agent must not see, such as a card; then returns. */
  readonly payUrl?: string | undefined
  readonly expiresAt?: string | undefined
}

export type Order = {
  readonly orderId: string
  readonly cartId: string
  readonly state: 'placed' | 'payment_pending' | 'paid' | 'cancelled'
  readonly lines: readonly CartLine[]
  readonly totals: Totals
  readonly placedAt: string
  readonly url?: string | undefined
  /** Where the visitor pays, if they still have to. */
  readonly payUrl?: string | undefined
}

type WithKey = { readonly shopper: Shopper; readonly idempotencyKey: string }

/** A shop: its products, the visitor's cart, and orders. Every effect carries our key. */
export type Commerce = {
  readonly variants: (
    request: { readonly shopper: Shopper; readonly productId: string },
    signal: AbortSignal,
  ) => Promise<ProductVariants>
  /** The visitor's cart; null where there is none yet. */
  readonly cart: (
    request: { readonly shopper: Shopper; readonly cartId?: string },
    signal: AbortSignal,
  ) => Promise<Cart | null>
  readonly quote: (
    request: { readonly shopper: Shopper; readonly cartId: string },
    signal: AbortSignal,
  ) => Promise<CheckoutQuote>
  /** The order that was placed from a cart; null where there is none. */
  readonly order: (
    request: { readonly shopper: Shopper; readonly cartId: string },
    signal: AbortSignal,
  ) => Promise<Order | null>
  readonly addLine: (
    request: WithKey & {
      readonly productId: string
      readonly variantId?: string | undefined
      readonly quantity: number
      readonly notes?: string | undefined
    },
    signal: AbortSignal,
  ) => Promise<{ readonly cart: Cart; readonly cartLineId: string }>
  readonly updateLine: (
    request: WithKey & { readonly cartLineId: string; readonly quantity: number },
    signal: AbortSignal,
  ) => Promise<Cart>
  readonly removeLine: (
    request: WithKey & { readonly cartLineId: string },
    signal: AbortSignal,
  ) => Promise<Cart>
  readonly applyCoupon: (
    request: WithKey & { readonly cartId: string; readonly code: string },
    signal: AbortSignal,
  ) => Promise<Cart>
  readonly startCheckout: (
    request: WithKey & { readonly cartId: string; readonly returnUrl: string },
    signal: AbortSignal,
  ) => Promise<Checkout>
  /** The shop refuses with TOOL_GATE_CLOSED where the total is not the expected one any more. */
  readonly placeOrder: (
    request: WithKey & {
      readonly cartId: string
      readonly checkoutToken: string
      readonly expectedTotal: Money
    },
    signal: AbortSignal,
  ) => Promise<Order>
}

// Shops remember keys for a day at least; ours and Vendure's adapter keep them longer.
const byKey = sameKey({ validFor: '1d' })

export const commerce = definePort<Commerce>('commerce', {
  variants: 'read',
  cart: 'read',
  quote: 'read',
  order: 'read',
  addLine: byKey,
  updateLine: byKey,
  removeLine: byKey,
  applyCoupon: byKey,
  startCheckout: byKey,
  placeOrder: byKey,
})

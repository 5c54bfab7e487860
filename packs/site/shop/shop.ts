import type { Store } from './store/open-store.ts'

/** What every part of the shop works with. */
export type Shop = {
  readonly store: Store
  readonly now: () => number
  /** A new id that cannot be guessed: `cart_…`. */
  readonly newId: (prefix: string) => string
  /** Where visitors reach the shop, without a slash at its end. */
  readonly origin: string
  readonly settings: ShopSettings
}

export type ShopSettings = {
  /** Origins besides the shop's own to which a visitor may return after paying. */
  readonly returnOrigins: readonly string[]
  /** A script on every page, such as an assistant's, with its `data-` attributes. */
  readonly embed?: {
    readonly script: string
    readonly data: Readonly<Record<string, string>>
  }
  /** The bearer key of the operations for the owner; without it they are closed. */
  readonly ownerKey?: string
  /** Requests that one address may send in a minute. */
  readonly requestsPerMinute: number
}

/** Of the shop: slots are offered in it, and pages show times in it. */
export const TIME_ZONE = 'Europe/Vienna'
export const CURRENCY = 'EUR'

export type Money = { readonly amount: number; readonly currency: string }

export function money(amount: number): Money {
  return { amount, currency: CURRENCY }
}

import type { Stores } from '@surehand/core'

/**
 * Stores under test, with control over their clock: a database has its own, so tests must not
 * assume a fake one.
 */
export type OpenedStores = {
  readonly stores: Stores
  /** The stores' time, in milliseconds since 1970. */
  readonly now: () => number
  /** Lets the stores' time pass. */
  readonly advance: (byMs: number) => Promise<void>
  readonly close: () => Promise<void>
}

/** Opens empty stores, with the tables of the suite's own transactions. */
export type OpenStores = (given: { readonly schema: readonly string[] }) => Promise<OpenedStores>

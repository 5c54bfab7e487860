import type { Maybe } from '../call/maybe.ts'

/**
 * Key–value with an optional life time, for the plans, drafts and cursors of packs. Keys never
 * cross tenants.
 */
export type ValueStore = {
  readonly get: (tenant: string, key: string) => Maybe<string | undefined>
  readonly set: (tenant: string, key: string, value: string, ttlMs?: number) => Maybe<void>
  readonly delete: (tenant: string, key: string) => Maybe<boolean>
  /** Sets the value only if it is still the one that was read; false where it has changed. */
  readonly replace: (tenant: string, key: string, change: ValueChange) => Maybe<boolean>
  readonly list: (
    tenant: string,
    prefix: string,
  ) => Maybe<readonly { readonly key: string; readonly value: string }[]>
}

export type ValueChange = {
  /** The value that was read; undefined: there was none. */
  readonly expected: string | undefined
  readonly value: string
  readonly ttlMs?: number
}

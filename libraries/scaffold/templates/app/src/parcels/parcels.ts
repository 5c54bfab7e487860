import { definePort, sameKey } from '@surehand/core'

export type Parcel = { readonly id: string; readonly status: string; readonly address: string }

/** What the tools need from the carrier. */
export type Parcels = {
  readonly find: (
    query: { readonly id: string },
    signal: AbortSignal,
  ) => Promise<Parcel | undefined>
  readonly redirect: (
    change: { readonly id: string; readonly address: string; readonly idempotencyKey: string },
    signal: AbortSignal,
  ) => Promise<Parcel>
}

// After a lost answer, Surehand repeats a redirection under the same key: the carrier must recognize
// a key for this long. Where a carrier cannot, use `lookUp` or `unrecoverable`.
export const parcels = definePort<Parcels>('parcels', {
  find: 'read',
  redirect: sameKey({ validFor: '24h' }),
})

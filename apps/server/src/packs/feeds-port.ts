import { definePort, sameKey } from '@surehand/core'

export type FeedWanted = {
  readonly tenant: string
  readonly principal: string
  readonly idempotencyKey: string
  readonly change: 'keep' | 'renew' | 'close'
}
export type FeedAddress = { readonly url: string | null }

/** Manages the secret addresses under which calendars fetch feeds. */
export type FeedsPort = {
  readonly address: (wanted: FeedWanted, signal: AbortSignal) => Promise<FeedAddress>
}

export const feedsPort = definePort<FeedsPort>('feeds', { address: sameKey({ validFor: '30d' }) })

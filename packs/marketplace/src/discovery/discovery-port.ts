import { definePort, sameKey } from '@surehand/core'
import type { ExternalFeedItem } from './feed-item.ts'

export type DiscoveryOrder = {
  readonly tenant: string
  readonly postId: string
  readonly kind: 'web' | 'social' | 'maps'
  readonly need: string
  readonly category?: string | undefined
  readonly locationText?: string | undefined
  readonly engine: 'openai' | 'gemini' | 'auto'
  readonly radiusKm: number
  readonly maxResults: number
  readonly idempotencyKey: string
}

export type DiscoveryReceipt = {
  readonly engine: 'openai' | 'gemini' | 'none'
  readonly feed_items: readonly ExternalFeedItem[]
  readonly disabled?: boolean
  readonly reason?: string
}

/**
 * Takes a call from the post's budget, asks an engine and stores what it found: three steps, each
 * recorded. Driven again after a crash it never asks the engine a second time.
 */
export type Discovery = {
  readonly search: (order: DiscoveryOrder, signal: AbortSignal) => Promise<DiscoveryReceipt>
}

export const discoveryPort = definePort<Discovery>('discovery', {
  search: sameKey({ validFor: '30d' }),
})

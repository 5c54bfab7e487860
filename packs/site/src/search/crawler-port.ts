import { definePort, sameKey } from '@surehand/core'

export type IndexReport = {
  readonly read: number
  readonly unchanged: number
  readonly removed: number
  readonly forbidden: number
  readonly problems: readonly string[]
}

export type EmbedReport = {
  readonly embedded: number
  /** Pages in English that have no vector yet. */
  readonly left: number
}

/** Reads a tenant's site into its search index. Doing it again changes nothing that is current. */
export type SiteCrawler = {
  readonly refresh: (
    request: {
      readonly tenant: string
      readonly maxPages: number
      readonly idempotencyKey: string
    },
    signal: AbortSignal,
  ) => Promise<IndexReport>
  /** Computes the meaning of pages that have changed; nothing where no model is installed. */
  readonly embed: (
    request: {
      readonly tenant: string
      readonly maxPages: number
      readonly idempotencyKey: string
    },
    signal: AbortSignal,
  ) => Promise<EmbedReport>
}

export const siteCrawler = definePort<SiteCrawler>('siteCrawler', {
  refresh: sameKey({ validFor: '1d' }),
  embed: sameKey({ validFor: '1d' }),
})

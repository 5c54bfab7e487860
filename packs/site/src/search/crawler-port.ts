import { definePort, sameKey } from '@surehand/core'

export type IndexReport = {
  readonly read: number
  readonly unchanged: number
  readonly removed: number
  readonly forbidden: number
  readonly problems: readonly string[]
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
}

export const siteCrawler = definePort<SiteCrawler>('siteCrawler', {
  refresh: sameKey({ validFor: '1d' }),
})

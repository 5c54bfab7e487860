import { definePort } from '@surehand/core'
import type { Filter } from '@surehand/documents'

export type FoundPage = {
  readonly title: string
  readonly snippet: string
  readonly url: string
  /** 0 to 1; comparable within one answer. */
  readonly score: number
  /** Of a product page. */
  readonly productId?: string | undefined
}

export type SearchAnswer = {
  readonly items: readonly FoundPage[]
  readonly nextPage: string | undefined
  /** Sources that did not answer: the site's own search, embeddings. */
  readonly missing: readonly string[]
}

export type IndexedPage = {
  readonly url: string
  readonly title: string
  readonly language: string
  readonly kind: 'catalog' | 'blog' | 'docs' | 'other'
}

/** The search over one tenant's site. It never sees the pages of another tenant. */
export type SiteSearch = {
  readonly search: (
    request: {
      readonly tenant: string
      readonly query: string
      readonly filters: readonly Filter[]
      readonly page: string | undefined
      readonly locale: string | undefined
    },
    signal: AbortSignal,
  ) => Promise<SearchAnswer>
  /** Pages of a kind in a language, those that the visitor is likely to want first. */
  readonly pages: (
    request: {
      readonly tenant: string
      readonly kind: IndexedPage['kind']
      readonly language: string
      readonly max: number
    },
    signal: AbortSignal,
  ) => Promise<readonly IndexedPage[]>
}

export const siteSearch = definePort<SiteSearch>('siteSearch', { search: 'read', pages: 'read' })

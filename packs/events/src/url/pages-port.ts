import { definePort } from '@surehand/core'

/** What a page says of itself. */
export type Page = {
  /** Where it was found, after redirects. */
  readonly url: string
  readonly title?: string
  readonly description?: string
  readonly imageUrl?: string
  readonly siteName?: string
  readonly oEmbed?: Readonly<Record<string, unknown>>
  readonly openGraph?: Readonly<Record<string, unknown>>
  /** Its JSON-LD blocks, parsed. */
  readonly jsonLd: readonly unknown[]
  /** The page itself, cut where it is very long; empty where only oEmbed spoke. */
  readonly html: string
}

export type PageRequest = { readonly tenant: string; readonly url: string }

/** Fetches a page that somebody named. */
export type PagesPort = {
  readonly expand: (request: PageRequest, signal: AbortSignal) => Promise<Page>
}

export const pagesPort = definePort<PagesPort>('pages', { expand: 'read' })

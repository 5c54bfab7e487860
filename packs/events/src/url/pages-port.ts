import { definePort } from '@surehand/core'

/** The metadata and the text of a page. */
export type Page = {
  /** The URL after redirects. */
  readonly url: string
  readonly title?: string
  readonly description?: string
  readonly imageUrl?: string
  readonly siteName?: string
  readonly oEmbed?: Readonly<Record<string, unknown>>
  readonly openGraph?: Readonly<Record<string, unknown>>
  /** Its JSON-LD blocks, parsed. */
  readonly jsonLd: readonly unknown[]
  /** The HTML, truncated if it is very long; empty if only oEmbed answered. */
  readonly html: string
}

export type PageRequest = { readonly tenant: string; readonly url: string }

/** Fetches a page and reads its metadata. */
export type PagesPort = {
  readonly expand: (request: PageRequest, signal: AbortSignal) => Promise<Page>
}

export const pagesPort = definePort<PagesPort>(
  'pages',
  { expand: 'read' },
  { host: ({ url }: { readonly url: string }) => URL.parse(url)?.host },
)

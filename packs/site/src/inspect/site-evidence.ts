import type { SiteAction } from '../contract/site-action.ts'
import type { HtmlScan } from './scan-html.ts'

/** What was found on a site. */
export type SiteEvidence = {
  readonly origin: string
  readonly isLocal: boolean
  readonly robots: {
    readonly exists: boolean
    readonly isAllowed: boolean
    readonly sitemaps: readonly string[]
  }
  readonly sitemap: {
    readonly url: string
    readonly pages: number
    readonly withLastmod: number
  }
  readonly jsonLdTypes: readonly string[]
  /** Of the pages that were read: the start page and some of the sitemap. */
  readonly pages: {
    readonly read: number
    readonly withJsonLd: number
    readonly withLandmarks: number
    readonly withLanguage: number
    readonly withTitle: number
  }
  /** The start page; counts are of all pages that were read. */
  readonly scan: HtmlScan
  readonly locales: readonly string[]
  readonly actions: readonly SiteAction[]
  readonly actionsUrl: string | undefined
  readonly openapi:
    | { readonly url: string; readonly operations: number; readonly agentActions: number }
    | undefined
  readonly graphql: string | undefined
  /** A template with `{query}`. */
  readonly search: string | undefined
  /** Whether the search answers in JSON, so that its results can be used. */
  readonly isSearchReadable: boolean
}

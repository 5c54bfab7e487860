import { definePort } from '@surehand/core'

export type SitemapPage = { readonly url: string; readonly lastmod?: string | undefined }

/** Reads robots.txt, sitemaps and pages of sites, politely and through egress. */
export type SiteReader = {
  readonly sitemap: (
    request: { readonly tenant: string; readonly url: string; readonly max: number },
    signal: AbortSignal,
  ) => Promise<{
    readonly pages: readonly SitemapPage[]
    readonly sitemaps: readonly string[]
    readonly problems: readonly string[]
  }>
  readonly robots: (
    request: { readonly tenant: string; readonly url: string; readonly userAgent: string },
    signal: AbortSignal,
  ) => Promise<{
    readonly allowed: boolean
    readonly crawlDelayMs: number | undefined
    readonly sitemaps: readonly string[]
  }>
  /** Requests a page and drops it, so that caches on the way have it. */
  readonly warm: (
    request: { readonly tenant: string; readonly url: string },
    signal: AbortSignal,
  ) => Promise<{ readonly status: number }>
}

export const siteReader = definePort<SiteReader>(
  'siteReader',
  {
    sitemap: 'read',
    robots: 'read',
    warm: 'read',
  },
  { host: ({ url }: { readonly url: string }) => URL.parse(url)?.host },
)

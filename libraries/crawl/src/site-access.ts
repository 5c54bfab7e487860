import { canonicalUrl } from './canonical-url.ts'
import { type Fetch, type FetchedText, fetchText } from './fetch-text.ts'
import { notReadError } from './page-errors.ts'
import { createPageReader } from './page-reader.ts'
import type { WebPage } from './read-page.ts'
import { allowAll, allowNothing, MAX_ROBOTS_BYTES, type Robots, readRobots } from './robots.ts'
import { readSitemap, type SitemapEntry } from './sitemap.ts'

export type SiteAccess = {
  readonly fetch: Fetch
  /** The product token that robots.txt is read for, and that is sent as the user agent. */
  readonly userAgent: string
  readonly signal: AbortSignal
  readonly timeoutMs?: number
}

export const DEFAULT_USER_AGENT = 'SurehandBot'
const MAX_REDIRECTS = 5
const ANY_TYPE = /^/
const PAGE_TYPE = /^(?:text\/(?:html|plain|markdown)|application\/xhtml\+xml)$/
const MAX_PAGE_BYTES = 2 * 1024 * 1024
const MAX_SITEMAP_BYTES = 5 * 1024 * 1024
const MAX_SITEMAPS = 20

/**
 * Reads the robots.txt of an origin as RFC 9309 says: a status 4xx allows everything, a status 5xx
 * nothing. A redirect to another origin is not followed and allows nothing. Throws where the site
 * cannot be reached at all.
 */
export async function fetchRobots(origin: string, access: SiteAccess): Promise<Robots> {
  const options = { ...access, maxBytes: MAX_ROBOTS_BYTES, accepts: ANY_TYPE }
  const fetched = await followWithinOrigin(`${origin}/robots.txt`, options)
  switch (fetched.kind) {
    case 'text':
      return readRobots(origin, fetched.text, access.userAgent)
    case 'redirect':
      return allowNothing()
    case 'failed':
      // No connection, or an address that egress refuses: that is the reason, not robots.txt.
      if (fetched.reason !== 'status') throw notReadError(origin, fetched)
      return fetched.status !== undefined && fetched.status >= 400 && fetched.status < 500
        ? allowAll(origin)
        : allowNothing()
  }
}

/**
 * Follows redirects as long as they stay within the origin and each target may be fetched. Otherwise
 * the redirect itself is the result.
 */
export async function followWithinOrigin(
  url: string,
  options: Parameters<typeof fetchText>[1] & { readonly mayFetch?: (url: string) => boolean },
): Promise<FetchedText> {
  let current = url
  for (let redirects = 0; ; redirects++) {
    const fetched = await fetchText(current, options)
    if (fetched.kind !== 'redirect' || fetched.to === undefined) return fetched
    const isInside = new URL(fetched.to).origin === new URL(url).origin
    if (!isInside || redirects >= MAX_REDIRECTS || options.mayFetch?.(fetched.to) === false)
      return fetched
    current = fetched.to
  }
}

// One thread for all crawls of this process: pages are read in turn.
const pageReader = createPageReader()

export type PageResult =
  | { readonly kind: 'page'; readonly page: WebPage }
  | { readonly kind: 'not_read'; readonly fetched: Exclude<FetchedText, { kind: 'text' }> }

/** Fetches a page and reads it. Plain text and Markdown are taken as they are. */
export async function fetchPage(
  url: string,
  access: SiteAccess & {
    readonly mayFetch: (url: string) => boolean
    readonly maxBytes?: number
  },
): Promise<PageResult> {
  const maxBytes = access.maxBytes ?? MAX_PAGE_BYTES
  const fetched = await followWithinOrigin(url, { ...access, maxBytes, accepts: PAGE_TYPE })
  if (fetched.kind !== 'text') return { kind: 'not_read', fetched }
  const at = canonicalUrl(fetched.url) ?? fetched.url
  const isHtml = /html/.test(fetched.mediaType)
  const html = isHtml ? fetched.text : `<pre>${escapeHtml(fetched.text)}</pre>`
  const read = await pageReader.read({ html, url: at }, access.signal)
  const page = {
    ...read,
    isTruncated: read.isTruncated || fetched.isTruncated,
    isIndexable: read.isIndexable && !/\b(?:noindex|none)\b/i.test(fetched.robotsTag),
    links: /\b(?:nofollow|none)\b/i.test(fetched.robotsTag) ? [] : read.links,
  }
  return { kind: 'page', page }
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

/**
 * The pages that a site's sitemaps list, within the origin: those that robots.txt names, otherwise
 * /sitemap.xml. Sitemaps that cannot be read are left out.
 */
export async function fetchSitemaps(
  origin: string,
  robots: Robots,
  access: SiteAccess & { readonly maxEntries: number },
): Promise<readonly SitemapEntry[]> {
  const options = { ...access, maxBytes: MAX_SITEMAP_BYTES, accepts: ANY_TYPE }
  const named = robots.sitemaps.length === 0 ? [`${origin}/sitemap.xml`] : robots.sitemaps
  const queue = named.filter(isInside)
  const entries: SitemapEntry[] = []
  const seen = new Set<string>()
  for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
    if (seen.has(url) || seen.size >= MAX_SITEMAPS || entries.length >= access.maxEntries) continue
    seen.add(url)
    const fetched = await followWithinOrigin(url, { ...options, mayFetch: robots.isAllowed })
    const sitemap = fetched.kind === 'text' ? readSitemap(fetched.bytes) : undefined
    if (sitemap?.kind === 'index') queue.push(...sitemap.entries.map(toUrl).filter(isInside))
    if (sitemap?.kind === 'pages') entries.push(...sitemap.entries.filter(isEntryInside))
  }
  return entries.slice(0, access.maxEntries)

  function isInside(url: string): boolean {
    return URL.canParse(url) && new URL(url).origin === origin
  }
  function isEntryInside(entry: SitemapEntry): boolean {
    return isInside(entry.url)
  }
}

function toUrl({ url }: SitemapEntry): string {
  return url
}

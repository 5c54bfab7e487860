import { ToolError } from '@surehand/core'
import { readRobots, readSitemap } from '@surehand/crawl'
import type { Fetch } from '@surehand/vendors'
import type { SitemapPage, SiteReader } from '../siteops/site-reader-port.ts'

const MOST_SITEMAPS = 50
const USER_AGENT = 'SurehandBot'
const HEADERS = { 'user-agent': `${USER_AGENT}/1.0` }

/** Reads sites over the web, through the server's egress rules. */
export function webSiteReader(fetchFor: (tenant: string) => Fetch): SiteReader {
  return {
    async sitemap({ tenant, url, max }, signal) {
      const fetch = fetchFor(tenant)
      const { origin } = new URL(url)
      const pages = new Map<string, SitemapPage>()
      const sitemaps: string[] = []
      const problems: string[] = []
      const queue = [url]
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        if (sitemaps.includes(next)) continue
        if (sitemaps.length >= MOST_SITEMAPS) {
          problems.push(`Only ${MOST_SITEMAPS} sitemaps are read.`)
          break
        }
        sitemaps.push(next)
        const found = await readOneSitemap(fetch, next, signal)
        if (typeof found === 'string') {
          problems.push(found)
          continue
        }
        for (const { url: entry, lastModified: lastmod } of found.entries) {
          // A sitemap may list pages of its own site only (sitemaps.org).
          if (!URL.canParse(entry) || new URL(entry).origin !== origin) continue
          if (found.kind === 'index') queue.push(entry)
          else if (pages.size < max) pages.set(entry, { url: entry, lastmod })
        }
      }
      return { pages: [...pages.values()], sitemaps, problems }
    },
    async robots({ tenant, url, userAgent }, signal) {
      const { origin } = new URL(url)
      const response = await fetchFor(tenant)(`${origin}/robots.txt`, { headers: HEADERS, signal })
      const text = await response.text()
      // RFC 9309: a missing file allows everything, one that cannot be read now allows nothing.
      if (response.status >= 500) return { allowed: false, crawlDelayMs: undefined, sitemaps: [] }
      const robots = readRobots(origin, response.ok ? text : '', userAgent)
      return {
        allowed: robots.isAllowed(url),
        crawlDelayMs: robots.crawlDelayMs,
        sitemaps: robots.sitemaps,
      }
    },
    async warm({ tenant, url }, signal) {
      const response = await fetchFor(tenant)(url, { headers: HEADERS, signal })
      await response.arrayBuffer()
      return { status: response.status }
    },
  }
}

async function readOneSitemap(fetch: Fetch, url: string, signal: AbortSignal) {
  const response = await fetch(url, { headers: HEADERS, signal })
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (!response.ok) {
    if (response.status >= 500)
      throw new ToolError(
        'TOOL_EXTERNAL_SERVICE_ERROR',
        `The sitemap ${url} could not be read: status ${response.status}.`,
      )
    return `${url} answered with the status ${response.status}.`
  }
  const sitemap = readSitemap(bytes)
  return sitemap.kind === 'refused' ? `${url} was not read: ${sitemap.why}.` : sitemap
}

import { ToolError } from '@surehand/core'
import { type Clock, systemClock } from '@surehand/core/ports'
import { crawlSite, type Fetch, fetchWebPage, type WebPage } from '@surehand/crawl'
import type { CrawledPage, CrawlPort } from '../crawl-port.ts'
import type { WebSearchPort } from '../web-search-port.ts'

/** A tool has two minutes; the pages that were read by then must still be sent. */
const DEADLINE_MS = 105_000
const MAX_PAGE_CHARACTERS = 60_000
/** All pages of a site together. */
const MAX_SITE_CHARACTERS = 600_000
const MAX_LINKS = 100

/** Reads pages with our own crawler, through egress. */
export function localCrawl(options: {
  readonly fetchFor: (tenant: string) => Fetch
  readonly clock?: Clock
  /** Between two requests to a site. */
  readonly delayMs?: number
}): CrawlPort {
  const { fetchFor, clock = systemClock(), delayMs } = options
  return {
    async page({ tenant, url }, signal) {
      const page = await fetchWebPage(url, { fetch: fetchFor(tenant), signal })
      return { page: toPage(page, MAX_PAGE_CHARACTERS), provider: 'local' }
    },
    async site({ tenant, url, maxPages, onProgress }, signal) {
      const { pages, skipped, stopped } = await crawlSite({
        startUrl: url,
        fetch: fetchFor(tenant),
        clock,
        signal,
        maxPages,
        deadlineMs: DEADLINE_MS,
        ...(delayMs === undefined ? {} : { delayMs }),
        onProgress: (progress) =>
          onProgress({
            completed: progress.pages,
            total: Math.min(maxPages, progress.pages + progress.queued),
            url: progress.url,
          }),
      })
      const share = Math.floor(MAX_SITE_CHARACTERS / Math.max(1, pages.length))
      const limit = Math.min(MAX_PAGE_CHARACTERS, share)
      return {
        pages: pages.map((page) => toPage(page, limit)),
        skipped: skipped.map(({ url, why, status }) => ({
          url,
          reason: status === undefined ? why : `${why} (status ${status})`,
        })),
        status: stopped === 'finished' ? 'completed' : 'partial',
        provider: 'local',
      }
    },
  }
}

function toPage(page: WebPage, limit: number): CrawledPage {
  const isCut = page.isTruncated || page.markdown.length > limit
  return {
    url: page.url,
    ...(page.title === '' ? {} : { title: page.title }),
    ...(page.description === '' ? {} : { description: page.description }),
    ...(page.language === '' ? {} : { language: page.language }),
    markdown: page.markdown.slice(0, limit),
    statusCode: 200,
    links: page.links.slice(0, MAX_LINKS),
    ...(isCut ? { isCut: true } : {}),
  }
}

/** Where no search engine is configured: it says so, instead of results that nothing supports. */
export function noWebSearch(): WebSearchPort {
  return {
    async search() {
      throw new ToolError(
        // Not a failure of a service: the circuit breaker would replace this message by its own.
        'TOOL_CONFIGURATION_ERROR',
        'No web search is configured, so nothing was searched. Use travel.crawlUrl for a page whose address is known. An administrator can set FIRECRAWL_API_KEY.',
        {
          effect: 'none',
          details: { source_code: 'not_configured', engine: 'none' },
          suggestions: ['Read a page whose address is known with travel.crawlUrl.'],
        },
      )
    },
  }
}

import { isToolError, ToolError } from '@surehand/core'
import { type Clock, sleep, systemClock } from '@surehand/core/ports'
import { type Fetch, removeInvisible, requireAllowed } from '@surehand/crawl'
import { type JsonRequest, sendJson, type VendorAccess } from '@surehand/vendors'
import { z } from 'zod'
import type { CrawledPage, CrawlPort, SiteAnswer, SiteRequest } from '../crawl-port.ts'
import type { WebSearchPort } from '../web-search-port.ts'

const VENDOR = 'Firecrawl'
const MAX_AGE_MS = 6 * 3_600_000
const MAX_PAGE_CHARACTERS = 60_000
const MAX_SITE_CHARACTERS = 600_000
const MAX_LINKS = 100
const FIRST_POLL_MS = 1_000
const MAX_POLL_MS = 4_000
/** A tool has two minutes; the pages that are there by then must still be sent. */
const DEADLINE_MS = 105_000
const CANCEL_MS = 5_000

const Found = z.object({
  url: z.string().optional(),
  title: z.string().nullish(),
  description: z.string().nullish(),
  snippet: z.string().nullish(),
  date: z.string().nullish(),
})
const SearchAnswer = z.object({
  success: z.literal(true),
  data: z.object({ web: z.array(Found).default([]), news: z.array(Found).default([]) }),
})

// Several tags of one name arrive as a list.
const Text = z.union([z.string(), z.array(z.string()).transform(([first]) => first)]).nullish()
const Document = z.object({
  markdown: z.string().nullish(),
  links: z.array(z.string()).nullish(),
  metadata: z
    .object({
      title: Text,
      description: Text,
      language: Text,
      sourceURL: z.string().nullish(),
      url: z.string().nullish(),
      statusCode: z.int().nullish(),
      error: z.string().nullish(),
    })
    .default({}),
})
type Document = z.output<typeof Document>
const ScrapeAnswer = z.object({ success: z.literal(true), data: Document })
const StartAnswer = z.object({ success: z.literal(true), id: z.string() })
const StatusAnswer = z.object({
  status: z.enum(['scraping', 'completed', 'failed', 'cancelled']),
  total: z.int().default(0),
  completed: z.int().default(0),
  next: z.string().nullish(),
  data: z.array(Document).default([]),
})
type Status = z.output<typeof StatusAnswer>
const ErrorsAnswer = z.object({
  errors: z.array(z.object({ url: z.string(), error: z.string() })).default([]),
  robotsBlocked: z.array(z.string()).default([]),
})

/** Firecrawl v2: search. */
export function firecrawlSearch(access: VendorAccess): WebSearchPort {
  return {
    async search({ tenant, query, limit }, signal) {
      const request = postRequest(access, '/v2/search', { query, limit, sources: ['web'] }, signal)
      const { data } = await sendJson(access.fetchFor(tenant), request, SearchAnswer)
      const results = [...data.web, ...data.news].flatMap((one) =>
        one.url === undefined || !URL.canParse(one.url)
          ? []
          : [
              {
                url: one.url,
                ...optional('title', one.title),
                ...optional('snippet', one.description ?? one.snippet),
                ...optional('publishedAt', one.date),
                source: new URL(one.url).hostname,
              },
            ],
      )
      return { results: results.slice(0, limit), provider: 'firecrawl' }
    },
  }
}

/** Firecrawl v2: scrape and crawl. Its own crawler obeys robots.txt; for one page we ask first. */
export function firecrawlCrawl(
  access: VendorAccess,
  options: { readonly fetchFor: (tenant: string) => Fetch; readonly clock?: Clock },
): CrawlPort {
  const { clock = systemClock() } = options
  return {
    async page({ tenant, url, fresh }, signal) {
      await requireAllowed(url, { fetch: options.fetchFor(tenant), signal })
      const body = {
        url,
        formats: ['markdown', 'links'],
        onlyMainContent: true,
        maxAge: fresh ? 0 : MAX_AGE_MS,
      }
      const request = postRequest(access, '/v2/scrape', body, signal)
      const { data } = await sendJson(access.fetchFor(tenant), request, ScrapeAnswer)
      return { page: toPage(data, url, MAX_PAGE_CHARACTERS), provider: 'firecrawl' }
    },
    async site(request, signal) {
      const job = new CrawlJob(access, request, clock)
      const id = await job.start(signal)
      try {
        return await job.collect(id, signal)
      } finally {
        await job.end(id)
      }
    },
  }
}

/** A crawl that the vendor runs. */
class CrawlJob {
  readonly #access: VendorAccess
  readonly #request: SiteRequest
  readonly #clock: Clock
  readonly #fetch: Fetch
  #isFinished = false

  constructor(access: VendorAccess, request: SiteRequest, clock: Clock) {
    this.#access = access
    this.#request = request
    this.#clock = clock
    this.#fetch = access.fetchFor(request.tenant)
  }

  async start(signal: AbortSignal): Promise<string> {
    const { url, maxPages, fresh } = this.#request
    const body = {
      url,
      limit: maxPages,
      sitemap: 'include',
      crawlEntireDomain: true,
      allowExternalLinks: false,
      allowSubdomains: false,
      scrapeOptions: {
        formats: ['markdown', 'links'],
        onlyMainContent: true,
        maxAge: fresh ? 0 : MAX_AGE_MS,
      },
    }
    const request = postRequest(this.#access, '/v2/crawl', body, signal)
    return (await sendJson(this.#fetch, request, StartAnswer)).id
  }

  async collect(id: string, signal: AbortSignal): Promise<SiteAnswer> {
    const { url, maxPages } = this.#request
    const status = await this.#poll(id, signal)
    if (status.status === 'failed' && status.data.length === 0)
      throw new ToolError(
        'TOOL_EXTERNAL_SERVICE_ERROR',
        `${VENDOR} could not read the site. Try again, or read single pages with travel.crawlUrl.`,
      )
    const documents = await this.#readParts(status, signal)
    const share = Math.floor(MAX_SITE_CHARACTERS / Math.max(1, documents.length))
    const limit = Math.min(MAX_PAGE_CHARACTERS, share)
    return {
      pages: documents.slice(0, maxPages).map((document) => toPage(document, url, limit)),
      skipped: await this.#readSkipped(id, signal),
      status: status.status === 'completed' ? 'completed' : 'partial',
      provider: 'firecrawl',
    }
  }

  /** Ends the vendor's job where it still runs: also after an abort, so with a signal of its own. */
  async end(id: string): Promise<void> {
    if (this.#isFinished) return
    const signal = AbortSignal.timeout(CANCEL_MS)
    const request = {
      ...getRequest(this.#access, this.#address(id), signal),
      method: 'DELETE',
    } as const
    // The pages or the abort matter to the caller, and the job ends by itself.
    await sendJson(this.#fetch, request, z.unknown()).catch(() => undefined)
  }

  #address(id: string): string {
    return `${this.#access.baseUrl}/v2/crawl/${encodeURIComponent(id)}`
  }

  async #poll(id: string, signal: AbortSignal): Promise<Status> {
    const { maxPages, onProgress } = this.#request
    const deadline = this.#clock.now() + DEADLINE_MS
    for (let waitMs = FIRST_POLL_MS; ; waitMs = Math.min(MAX_POLL_MS, waitMs * 1.5)) {
      const status = await this.#readStatus(this.#address(id), signal)
      const { completed = 0, total = 0 } = status ?? {}
      if (status !== undefined) {
        onProgress({ completed, total: Math.min(maxPages, Math.max(total, completed)) })
        this.#isFinished = status.status !== 'scraping'
        if (this.#isFinished || this.#clock.now() >= deadline) return status
      }
      await sleep(this.#clock, waitMs, signal)
    }
  }

  // The job goes on although one question about it fails.
  async #readStatus(address: string, signal: AbortSignal): Promise<Status | undefined> {
    try {
      return await sendJson(this.#fetch, getRequest(this.#access, address, signal), StatusAnswer)
    } catch (thrown) {
      if (isToolError(thrown) && isPassing(thrown)) return undefined
      throw thrown
    }
  }

  async #readParts(status: Status, signal: AbortSignal): Promise<readonly Document[]> {
    const documents = [...status.data]
    let { next } = status
    while (next != null && documents.length < this.#request.maxPages) {
      // The key is sent with the request, so it must not leave the vendor.
      if (!next.startsWith(`${this.#access.baseUrl}/`)) break
      const further = await this.#readStatus(next, signal)
      if (further === undefined || further.data.length === 0) break
      documents.push(...further.data)
      next = further.next
    }
    return documents
  }

  async #readSkipped(id: string, signal: AbortSignal): Promise<SiteAnswer['skipped']> {
    const request = getRequest(this.#access, `${this.#address(id)}/errors`, signal)
    const found = await sendJson(this.#fetch, request, ErrorsAnswer).catch(() =>
      ErrorsAnswer.parse({}),
    )
    return [
      ...found.robotsBlocked.map((url) => ({ url, reason: 'robots' })),
      ...found.errors.map(({ url }) => ({ url, reason: 'error' })),
    ]
  }
}

function isPassing({ code }: ToolError): boolean {
  return (
    code === 'TOOL_EXTERNAL_SERVICE_ERROR' ||
    code === 'TOOL_RATE_LIMIT_EXCEEDED' ||
    code === 'TOOL_NETWORK_ERROR'
  )
}

function toPage({ markdown, links, metadata }: Document, url: string, limit: number): CrawledPage {
  const text = removeInvisible(markdown ?? '')
  return {
    url: metadata.url ?? metadata.sourceURL ?? url,
    ...optional('title', metadata.title),
    ...optional('description', metadata.description),
    ...optional('language', metadata.language),
    markdown: text.slice(0, limit),
    ...optional('statusCode', metadata.statusCode),
    ...(links == null ? {} : { links: links.slice(0, MAX_LINKS) }),
    ...(text.length > limit ? { isCut: true } : {}),
  }
}

function optional<K extends string, V>(key: K, value: V | null | undefined) {
  return value === null || value === undefined ? {} : ({ [key]: value } as Record<K, V>)
}

function getRequest(access: VendorAccess, url: string, signal: AbortSignal): JsonRequest {
  return { vendor: VENDOR, url, headers: { authorization: `Bearer ${access.key}` }, signal }
}

function postRequest(
  access: VendorAccess,
  path: string,
  body: unknown,
  signal: AbortSignal,
): JsonRequest {
  return { ...getRequest(access, `${access.baseUrl}${path}`, signal), method: 'POST', body }
}

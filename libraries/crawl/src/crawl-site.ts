import { ToolError } from '@surehand/core'
import { type Clock, sleep } from '@surehand/core/ports'
import { canonicalUrl } from './canonical-url.ts'
import type { Fetch, FetchedText } from './fetch-text.ts'
import { createTrapDetector, type Trap } from './find-traps.ts'
import { notReadError, requireUrl, robotsError } from './page-errors.ts'
import type { WebPage } from './read-page.ts'
import type { Robots } from './robots.ts'
import { DEFAULT_USER_AGENT, fetchPage, fetchRobots, fetchSitemaps } from './site-access.ts'

export type CrawlOptions = {
  readonly startUrl: string
  /** A `fetch` that goes through egress. */
  readonly fetch: Fetch
  readonly clock: Clock
  /** Cancels the crawl: it rejects with the signal's reason. */
  readonly signal: AbortSignal
  /** How many pages are read at most. */
  readonly maxPages: number
  /** After this time the crawl ends with the pages that it has. */
  readonly deadlineMs: number
  readonly userAgent?: string
  /** Requests at the same time. Default: 2. */
  readonly concurrency?: number
  /** The time between the starts of two requests. A longer Crawl-delay of the site is obeyed. */
  readonly delayMs?: number
  readonly maxDepth?: number
  readonly maxQueriesPerPath?: number
  readonly maxPageBytes?: number
  /** For each request. Default: 15 s. */
  readonly requestTimeoutMs?: number
  readonly onProgress?: (progress: CrawlProgress) => void
}

export type CrawlProgress = {
  readonly pages: number
  readonly maxPages: number
  readonly queued: number
  readonly requests: number
  /** The page that was read last. */
  readonly url: string
}

export type CrawledPage = WebPage & {
  /** How many links away from the start it was found. */
  readonly depth: number
  /** From the sitemap, as it is written there. */
  readonly lastModified?: string
}

export type SkippedPage = {
  readonly url: string
  readonly why: Trap | 'robots' | 'outside' | 'duplicate' | 'not_a_page' | 'error'
  readonly status?: number
}

export type CrawlResult = {
  readonly origin: string
  readonly pages: readonly CrawledPage[]
  /** The first 500 pages of the site that were found and not read. */
  readonly skipped: readonly SkippedPage[]
  readonly requests: number
  /** 'refused': the site answered 429 or 503 again and again. */
  readonly stopped: 'finished' | 'max_pages' | 'deadline' | 'refused'
}

const DEFAULTS = { concurrency: 2, delayMs: 200, maxDepth: 12, maxQueriesPerPath: 20 }
const MAX_SKIPPED = 500
const MAX_QUEUE = 10_000
/** Requests per page that is read, before the crawl is ended as fruitless. */
const MAX_REQUESTS_PER_PAGE = 4
const MAX_CRAWL_DELAY_MS = 30_000
const MAX_REFUSALS = 5
const FIRST_BACK_OFF_MS = 1_000

/**
 * Reads the pages of one site, starting at a page and its sitemaps. It obeys robots.txt, leaves
 * endless parts of the site, and sends no request outside the origin of its start.
 *
 * @example
 * const { pages } = await crawlSite({
 *   startUrl: 'https://example.com/',
 *   fetch: egressFetch,
 *   clock: systemClock(),
 *   signal,
 *   maxPages: 20,
 *   deadlineMs: 60_000,
 * })
 */
export async function crawlSite(options: CrawlOptions): Promise<CrawlResult> {
  options.signal.throwIfAborted()
  const startUrl = requireUrl(options.startUrl)
  const ending = new AbortController()
  const cancelTimer = options.clock.after(options.deadlineMs, () => ending.abort())
  const crawl = new Crawl(options, startUrl, ending)
  try {
    return await crawl.run()
  } finally {
    cancelTimer()
    ending.abort()
  }
}

type QueueEntry = {
  readonly url: string
  readonly depth: number
  readonly lastModified?: string
  readonly isRetry?: true
}

class Crawl {
  readonly #options: CrawlOptions & typeof DEFAULTS
  readonly #startUrl: string
  readonly #origin: string
  readonly #ending: AbortController
  readonly #signal: AbortSignal
  readonly #traps
  readonly #seen = new Set<string>()
  readonly #queue: QueueEntry[] = []
  readonly #pages: CrawledPage[] = []
  readonly #skipped: SkippedPage[] = []
  #robots: Robots | undefined
  #stopped: CrawlResult['stopped'] = 'finished'
  #requests = 0
  #reading = 0
  #nextRequestAt = 0
  #delayMs: number
  #refusals = 0

  constructor(options: CrawlOptions, startUrl: string, ending: AbortController) {
    this.#options = { ...DEFAULTS, ...options }
    this.#startUrl = startUrl
    this.#origin = new URL(startUrl).origin
    this.#ending = ending
    this.#signal = AbortSignal.any([options.signal, ending.signal])
    this.#traps = createTrapDetector(this.#options)
    this.#delayMs = this.#options.delayMs
  }

  async run(): Promise<CrawlResult> {
    try {
      await this.#readStart()
      await Promise.all(Array.from({ length: this.#options.concurrency }, () => this.#work()))
    } catch (thrown) {
      this.#options.signal.throwIfAborted()
      if (!this.#ending.signal.aborted) throw thrown
      if (this.#stopped === 'finished') this.#stopped = 'deadline'
    }
    const hasMore = this.#queue.length > 0 && this.#pages.length >= this.#options.maxPages
    return {
      origin: this.#origin,
      pages: this.#pages,
      skipped: this.#skipped,
      requests: this.#requests,
      stopped: this.#stopped === 'finished' && hasMore ? 'max_pages' : this.#stopped,
    }
  }

  get #access() {
    const { userAgent = DEFAULT_USER_AGENT, requestTimeoutMs: timeoutMs } = this.#options
    return {
      fetch: this.#fetch,
      userAgent,
      signal: this.#signal,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    }
  }

  /** The only way out: it keeps to the origin and waits its turn. */
  readonly #fetch: Fetch = async (input, init) => {
    const url = String(input)
    if (new URL(url).origin !== this.#origin) throw new TypeError('Outside the origin.')
    const { clock } = this.#options
    const startsAt = Math.max(clock.now(), this.#nextRequestAt)
    this.#nextRequestAt = startsAt + this.#delayMs
    if (startsAt > clock.now()) await sleep(clock, startsAt - clock.now(), this.#signal)
    this.#requests++
    return this.#options.fetch(url, init)
  }

  async #readStart(): Promise<void> {
    const robots = await fetchRobots(this.#origin, this.#access)
    if (!robots.isAllowed(this.#startUrl)) throw robotsError(this.#startUrl)
    this.#robots = robots
    this.#delayMs = Math.max(this.#delayMs, Math.min(robots.crawlDelayMs ?? 0, MAX_CRAWL_DELAY_MS))
    this.#seen.add(this.#startUrl)
    const failure = await this.#read({ url: this.#startUrl, depth: 0 })
    if (failure !== undefined) throw startError(this.#startUrl, failure)
    if (this.#options.maxPages === 1) return
    const maxEntries = this.#options.maxPages * 10
    for (const { url, lastModified } of await fetchSitemaps(this.#origin, robots, {
      ...this.#access,
      maxEntries,
    }))
      this.#enqueue(url, 1, lastModified)
  }

  async #work(): Promise<void> {
    for (let next = this.#takeNext(); next !== 'end'; next = this.#takeNext()) {
      if (next === 'wait') await sleep(this.#options.clock, 10, this.#signal)
      else await this.#read(next)
    }
    this.#signal.throwIfAborted()
  }

  // Another worker may still find links, or read a page that is no new one.
  #takeNext(): QueueEntry | 'wait' | 'end' {
    const { maxPages } = this.#options
    const isFruitless = this.#requests > maxPages * MAX_REQUESTS_PER_PAGE + 50
    if (this.#signal.aborted || this.#pages.length >= maxPages || isFruitless) return 'end'
    const mayRead = this.#pages.length + this.#reading < maxPages
    const entry = mayRead ? this.#queue.shift() : undefined
    return entry ?? (this.#reading > 0 ? 'wait' : 'end')
  }

  /** Reads a page. Returns what was received instead, if it could not be read. */
  async #read(entry: QueueEntry): Promise<Exclude<FetchedText, { kind: 'text' }> | undefined> {
    this.#reading++
    try {
      const result = await fetchPage(entry.url, {
        ...this.#access,
        mayFetch: (url) => this.#robots?.isAllowed(url) === true && !this.#isSeen(url),
        ...(this.#options.maxPageBytes === undefined
          ? {}
          : { maxBytes: this.#options.maxPageBytes }),
      })
      if (result.kind === 'page') this.#keep(entry, result.page)
      else this.#skipUnread(entry, result.fetched)
      return result.kind === 'page' ? undefined : result.fetched
    } finally {
      this.#reading--
    }
  }

  #keep(entry: QueueEntry, page: WebPage): void {
    this.#refusals = 0
    const own = page.canonical ?? page.url
    // A redirect or a canonical link leads to a page that was read before.
    const isKnown =
      own !== entry.url && this.#pages.some((one) => (one.canonical ?? one.url) === own)
    for (const url of [page.url, own]) this.#seen.add(url)
    if (isKnown || this.#traps.noteText(page.url, page.markdown) === 'repeated')
      this.#skip(entry.url, 'duplicate')
    else {
      const { depth, lastModified } = entry
      const dated = lastModified === undefined ? {} : { lastModified }
      this.#pages.push({ ...page, depth, ...dated })
    }
    for (const link of page.links) this.#enqueue(link, entry.depth + 1)
    this.#options.onProgress?.({
      pages: this.#pages.length,
      maxPages: this.#options.maxPages,
      queued: this.#queue.length,
      requests: this.#requests,
      url: page.url,
    })
  }

  /** A redirect to a page that is queued or read needs no request. */
  #isSeen(href: string): boolean {
    const url = canonicalUrl(href)
    return url !== undefined && this.#seen.has(url)
  }

  #enqueue(href: string, depth: number, lastModified?: string): void {
    const url = canonicalUrl(href)
    if (url === undefined || new URL(url).origin !== this.#origin || this.#seen.has(url)) return
    this.#seen.add(url)
    if (this.#robots?.isAllowed(url) !== true) this.#skip(url, 'robots')
    else if (this.#queue.length < MAX_QUEUE) {
      const trap = this.#traps.check(url, depth)
      if (trap !== undefined) this.#skip(url, trap)
      else this.#queue.push({ url, depth, ...(lastModified === undefined ? {} : { lastModified }) })
    }
  }

  #skipUnread(entry: QueueEntry, fetched: Exclude<FetchedText, { kind: 'text' }>): void {
    if (fetched.kind === 'redirect') {
      this.#skip(entry.url, this.#reasonForRedirect(entry.url, canonicalUrl(fetched.to ?? '')))
      return
    }
    const { status, reason } = fetched
    if (status === 429 || status === 503) this.#backOff(entry, fetched.retryAfterMs)
    else this.#skip(entry.url, reason === 'media_type' ? 'not_a_page' : 'error', status)
  }

  #reasonForRedirect(from: string, to: string | undefined): SkippedPage['why'] {
    if (to === undefined || new URL(to).origin !== this.#origin) return 'outside'
    if (this.#robots?.isAllowed(to) !== true) return 'robots'
    return to !== from && this.#isSeen(to) ? 'duplicate' : 'error'
  }

  #backOff(entry: QueueEntry, retryAfterMs: number | undefined): void {
    const waitMs = retryAfterMs ?? FIRST_BACK_OFF_MS * 2 ** this.#refusals
    this.#refusals++
    this.#nextRequestAt =
      Math.max(this.#options.clock.now(), this.#nextRequestAt) +
      Math.min(waitMs, MAX_CRAWL_DELAY_MS)
    if (entry.isRetry === true) this.#skip(entry.url, 'error', 429)
    else this.#queue.push({ ...entry, isRetry: true })
    if (this.#refusals < MAX_REFUSALS) return
    this.#stopped = 'refused'
    this.#ending.abort()
  }

  #skip(url: string, why: SkippedPage['why'], status?: number): void {
    if (this.#skipped.length >= MAX_SKIPPED) return
    this.#skipped.push({ url, why, ...(status === undefined ? {} : { status }) })
  }
}

function startError(url: string, fetched: Exclude<FetchedText, { kind: 'text' }>): ToolError {
  const { origin } = new URL(url)
  const target =
    fetched.kind === 'redirect' && fetched.to !== undefined ? new URL(fetched.to) : null
  if (target === null || target.origin === origin) return notReadError(url, fetched)
  return new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    `${origin} redirects to another site, ${target.origin}, which was not read. Crawl that address instead.`,
    { effect: 'none', details: { location: target.origin } },
  )
}

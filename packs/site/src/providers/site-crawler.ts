import { createHash } from 'node:crypto'
import { isToolError, ToolError } from '@surehand/core'
import type { PackGiven } from '@surehand/core/host'
import { readRobots } from '@surehand/crawl'
import type { Fetch } from '@surehand/vendors'
import { readJsonLd, readProduct } from '../contract/read-json-ld.ts'
import type { SiteCrawler } from '../search/crawler-port.ts'
import { readMainText } from '../search/read-main-text.ts'
import type { PageToStore } from '../search/store-pages.ts'
import { readSite } from '../session/site-data.ts'
import type { SitemapPage, SiteReader } from '../siteops/site-reader-port.ts'

const BATCH = 20
const MOST_BODY = 8_000
const AGENT = 'SurehandBot'
const HEADERS = { 'user-agent': `${AGENT}/1.0` }

export type CrawlerParts = {
  readonly given: Pick<PackGiven, 'query' | 'call' | 'systemCaller'>
  readonly reader: Pick<SiteReader, 'sitemap'>
  readonly fetchFor: (tenant: string) => Fetch
}

/** Reads the sitemap of the tenant's site, and the pages that it says have changed. */
export function siteCrawler({ given, reader, fetchFor }: CrawlerParts): SiteCrawler {
  return {
    async refresh({ tenant, maxPages, idempotencyKey }, signal) {
      const site = await readSite(given.query, tenant)
      const origin = site?.contract.origins[0]
      if (origin === undefined)
        return {
          read: 0,
          unchanged: 0,
          removed: 0,
          forbidden: 0,
          problems: ['No site is connected.'],
        }
      const fetch = fetchFor(tenant)
      const url = site?.contract.sitemap ?? `${origin}/sitemap.xml`
      const listed = await reader.sitemap({ tenant, url, max: maxPages }, signal)
      const robots = await readRobotsOf(fetch, origin, signal)
      const known = await readKnown(given.query, tenant)
      const allowed = listed.pages.filter((page) => robots.isAllowed(page.url))
      const changed = allowed.filter((page) => hasChanged(page, known.get(page.url)))
      const store = (pages: readonly PageToStore[], removed: readonly string[], batch: string) =>
        storeBatch(given, tenant, { pages, removed, key: `${idempotencyKey} ${batch}` })
      let read = 0
      for (let at = 0; at < changed.length; at += BATCH) {
        const group = changed.slice(at, at + BATCH)
        const pages = await Promise.all(group.map((page) => readForIndex(fetch, page, signal)))
        const found = pages.filter((page) => page !== undefined)
        await store(found, [], String(at))
        read += found.length
      }
      const stillThere = new Set(allowed.map((page) => page.url))
      // A sitemap that could not be read whole says nothing about pages that are gone.
      const isWhole = listed.problems.length === 0 && listed.pages.length < maxPages
      const gone = isWhole ? [...known.keys()].filter((page) => !stillThere.has(page)) : []
      if (gone.length > 0) await store([], gone.slice(0, 1_000), 'removed')
      return {
        read,
        unchanged: allowed.length - changed.length,
        removed: gone.length,
        forbidden: listed.pages.length - allowed.length,
        problems: listed.problems,
      }
    },
  }
}

async function readRobotsOf(fetch: Fetch, origin: string, signal: AbortSignal) {
  const response = await fetch(`${origin}/robots.txt`, { headers: HEADERS, signal })
  const text = await response.text()
  if (response.status >= 500)
    throw new ToolError(
      'TOOL_EXTERNAL_SERVICE_ERROR',
      'robots.txt of the site cannot be read now, so nothing else is read.',
    )
  return readRobots(origin, response.ok ? text : '', AGENT)
}

async function readKnown(
  query: PackGiven['query'],
  tenant: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await query('select url, lastmod from site_pages where tenant = ?', [tenant])
  return new Map(rows.map((row) => [String(row.url), String(row.lastmod ?? '')]))
}

// Without a date the page is read each time; its hash shows whether it has changed.
function hasChanged({ lastmod }: SitemapPage, known: string | undefined): boolean {
  return known === undefined || lastmod === undefined || lastmod !== known
}

async function readForIndex(
  fetch: Fetch,
  { url, lastmod }: SitemapPage,
  signal: AbortSignal,
): Promise<PageToStore | undefined> {
  try {
    const response = await fetch(url, { headers: { ...HEADERS, accept: 'text/html' }, signal })
    const html = await response.text()
    if (!response.ok || !/html/.test(response.headers.get('content-type') ?? '')) return undefined
    return toIndexedPage(html, url, lastmod)
  } catch (thrown) {
    // One page that cannot be read must not end the crawl.
    if (isToolError(thrown) && !signal.aborted) return undefined
    throw thrown
  }
}

/** A page as the index stores it; undefined where the page asks not to be indexed. */
export function toIndexedPage(
  html: string,
  url: string,
  lastmod: string | undefined,
): PageToStore | undefined {
  const page = readMainText(html)
  if (!page.isIndexable) return undefined
  const nodes = readJsonLd(html)
  const product = readProduct(nodes)
  const body = `${page.description}\n${page.text}`.slice(0, MOST_BODY)
  return {
    url,
    title: page.title.slice(0, 500) || url,
    body,
    language: page.language.slice(0, 35) || 'en',
    kind: kindOf(
      url,
      nodes.flatMap(({ types }) => types),
    ),
    ...(product?.productId === undefined ? {} : { productId: product.productId.slice(0, 128) }),
    ...(product?.price === undefined ? {} : { price: product.price }),
    ...(product?.currency?.length === 3 ? { currency: product.currency } : {}),
    ...(lastmod === undefined ? {} : { lastmod }),
    hash: createHash('sha256').update(`${page.title}\n${body}`).digest('hex'),
  }
}

function kindOf(url: string, types: readonly string[]): PageToStore['kind'] {
  const path = new URL(url).pathname
  if (types.some((type) => /^Product/.test(type)) || /\/(products?|shop)\//.test(path))
    return 'catalog'
  if (types.some((type) => /^(BlogPosting|NewsArticle)$/.test(type)) || /\/blog\//.test(path))
    return 'blog'
  if (
    types.some((type) => /^(FAQPage|TechArticle|HowTo)$/.test(type)) ||
    /\/(docs|help)\//.test(path)
  )
    return 'docs'
  return 'other'
}

async function storeBatch(
  { call, systemCaller }: CrawlerParts['given'],
  tenant: string,
  {
    pages,
    removed,
    key,
  }: {
    readonly pages: readonly PageToStore[]
    readonly removed: readonly string[]
    readonly key: string
  },
): Promise<void> {
  const outcome = await call({
    tool: 'site.store_pages',
    input: { pages, removed },
    caller: systemCaller(tenant),
    surface: 'site',
    idempotencyKey: key,
  })
  if (outcome.status === 'failed' && outcome.error.code !== 'TOOL_IDEMPOTENCY_CONFLICT')
    throw outcome.error
}

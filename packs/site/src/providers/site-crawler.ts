import { createHash } from 'node:crypto'
import { isToolError, ToolError } from '@surehand/core'
import type { PackGiven } from '@surehand/core/host'
import type { Row } from '@surehand/core/internal'
import { readRobots } from '@surehand/crawl'
import { type Embeddings, encodeVector, LOCAL_MODEL } from '@surehand/discovery'
import type { Fetch } from '@surehand/vendors'
import { readJsonLd, readProduct } from '../contract/read-json-ld.ts'
import type { EmbedReport, SiteCrawler } from '../search/crawler-port.ts'
import { readMainText } from '../search/read-main-text.ts'
import type { PageToStore, VectorToStore } from '../search/store-pages.ts'
import { readSite } from '../session/site-data.ts'
import type { SitemapPage, SiteReader } from '../siteops/site-reader-port.ts'

const BATCH = 20
const MOST_BODY = 8_000
const MOST_REMOVED = 1_000
const AGENT = 'SurehandBot'
const HEADERS = { 'user-agent': `${AGENT}/1.0` }

export type CrawlerParts = {
  readonly given: Pick<PackGiven, 'query' | 'call' | 'systemCaller'>
  readonly reader: Pick<SiteReader, 'sitemap'>
  readonly fetchFor: (tenant: string) => Fetch
  readonly embeddings?: Embeddings | undefined
}

/** Reads the sitemap of the tenant's site, and the pages that it says have changed. */
export function siteCrawler(parts: CrawlerParts): SiteCrawler {
  const { given, reader, fetchFor } = parts
  return {
    embed: (request, signal) => embedPages(parts, request, signal),
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
      const store = (batch: Omit<Batch, 'key'>, name: string) =>
        storeBatch(given, tenant, { ...batch, key: `${idempotencyKey} ${name}` })
      let read = 0
      for (let at = 0; at < changed.length; at += BATCH) {
        const group = changed.slice(at, at + BATCH)
        const pages = await Promise.all(group.map((page) => readForIndex(fetch, page, signal)))
        const found = pages.filter((page) => page !== undefined)
        // A page without a date is read each time; as it was, it changes no index.
        const isNew = (page: PageToStore) => known.get(page.url)?.hash !== page.hash
        const news = found.filter((page) => page.lastmod !== undefined || isNew(page))
        if (news.length > 0) await store({ pages: news }, String(at))
        read += found.length
      }
      const stillThere = new Set(allowed.map((page) => page.url))
      // A sitemap that could not be read whole says nothing about pages that are gone.
      const isWhole = listed.problems.length === 0 && listed.pages.length < maxPages
      const gone = isWhole ? [...known.keys()].filter((page) => !stillThere.has(page)) : []
      for (let at = 0; at < gone.length; at += MOST_REMOVED)
        await store({ removed: gone.slice(at, at + MOST_REMOVED) }, `removed ${at}`)
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

type KnownPage = { readonly lastmod: string; readonly hash: string }

async function readKnown(
  query: PackGiven['query'],
  tenant: string,
): Promise<ReadonlyMap<string, KnownPage>> {
  const rows = await query('select url, lastmod, hash from site_pages where tenant = ?', [tenant])
  return new Map(
    rows.map(({ url, lastmod, hash }) => [
      String(url),
      { lastmod: String(lastmod ?? ''), hash: String(hash) },
    ]),
  )
}

// Without a date the page is read each time; its hash shows whether it has changed.
function hasChanged({ lastmod }: SitemapPage, known: KnownPage | undefined): boolean {
  return known === undefined || lastmod === undefined || lastmod !== known.lastmod
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

type Batch = {
  readonly pages?: readonly PageToStore[]
  readonly removed?: readonly string[]
  readonly vectors?: readonly VectorToStore[]
  readonly key: string
}

async function storeBatch(
  { call, systemCaller }: CrawlerParts['given'],
  tenant: string,
  { key, ...input }: Batch,
): Promise<void> {
  const outcome = await call({
    tool: 'site.store_pages',
    input,
    caller: systemCaller(tenant),
    surface: 'site',
    idempotencyKey: key,
  })
  if (outcome.status === 'failed' && outcome.error.code !== 'TOOL_IDEMPOTENCY_CONFLICT')
    throw outcome.error
}

// The model knows English alone.
const WITHOUT_VECTOR = `from site_pages page
  left join site_page_vectors vector on vector.tenant = page.tenant and vector.url = page.url
    and vector.hash = page.hash and vector.model = ?
  where page.tenant = ? and page.language like 'en%' and vector.url is null`

/** Computes the vectors of pages that have none yet, in batches. */
async function embedPages(
  { given, embeddings }: CrawlerParts,
  {
    tenant,
    maxPages,
    idempotencyKey,
  }: { readonly tenant: string; readonly maxPages: number; readonly idempotencyKey: string },
  signal: AbortSignal,
): Promise<EmbedReport> {
  if (embeddings === undefined) return { embedded: 0, left: 0 }
  const site = await readSite(given.query, tenant)
  let embedded = 0
  while (embedded < maxPages) {
    const rows = await given.query(
      `select page.url, title, body, page.hash ${WITHOUT_VECTOR} order by page.url limit ?`,
      [LOCAL_MODEL, tenant, Math.min(BATCH, maxPages - embedded)],
    )
    if (rows.length === 0) break
    const texts = rows.flatMap((row) => describePage(row, site?.contract.name))
    const answer = await embeddings.embed({ texts }, signal)
    if (answer === null) return { embedded, left: 0 }
    const vectors = rows.map(({ url, hash }, at) => ({
      url: String(url),
      hash: String(hash),
      model: answer.model,
      vector: encodeVector(middle(answer.vectors[2 * at] ?? [], answer.vectors[2 * at + 1] ?? [])),
    }))
    await storeBatch(given, tenant, { vectors, key: `${idempotencyKey} ${embedded}` })
    embedded += rows.length
  }
  const [row] = await given.query(`select count(*) as n ${WITHOUT_VECTOR}`, [LOCAL_MODEL, tenant])
  return { embedded, left: Number(row?.n ?? 0) }
}

// The model compares short texts best: on the tuning questions of testing/search-questions.ts the
// middle of these two found 18 of 28 pages first, and two hundred characters of the page 5 of 12.
const MOST_EMBEDDED = 160

/** Two texts of a page: its title without the name of the site, and with what it says of itself. */
function describePage({ title, body }: Row, site: string | undefined): readonly string[] {
  const parts = String(title).split(/\s+[·|–—-]\s+/)
  const own = parts.filter((part) => part !== site)
  const name = own.length === 0 ? String(title) : own.join(', ')
  const [description] = String(body).trimStart().split('\n', 1)
  return [name, `${name}. ${description}`.slice(0, name.length + MOST_EMBEDDED)]
}

/** The vector between two others, each taken at the same length. */
function middle(left: readonly number[], right: readonly number[]): readonly number[] {
  const [leftLength, rightLength] = [Math.hypot(...left), Math.hypot(...right)]
  return left.map((value, at) => value / leftLength + (right[at] ?? 0) / rightLength)
}

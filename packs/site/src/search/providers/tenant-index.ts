import type { PackGiven } from '@surehand/core/host'
import type { Row } from '@surehand/core/internal'
import MiniSearch from 'minisearch'

export type IndexedPage = {
  readonly url: string
  readonly title: string
  readonly body: string
  readonly language: string
  readonly kind: string
  readonly productId: string | undefined
  readonly price: number | undefined
}

/** The pages of one tenant, in memory. */
export type TenantIndex = {
  revision: number
  readonly pages: Map<string, IndexedPage>
  readonly index: MiniSearch<IndexedPage>
}

type Query = PackGiven['query']
type Kept = { index: TenantIndex | undefined; refreshing: Promise<TenantIndex> | undefined }

const MOST_TENANTS = 50
// A visitor waits for the first build no longer than this; it goes on in the background.
const FIRST_BUILD_MS = 1_500
// Indexing a chunk takes some milliseconds; other calls are served in between.
const CHUNK = 10

/**
 * Indexes of tenants. A search uses the index that is there and brings it up to date in the
 * background: pages that changed are read, not all of them.
 */
export function tenantIndexes(query: Query) {
  const kept = new Map<string, Kept>()

  function refresh(tenant: string, one: Kept): Promise<TenantIndex> {
    one.refreshing ??= updateIndex(query, tenant, one.index)
      .then((index) => {
        one.index = index
        return index
      })
      .finally(() => {
        one.refreshing = undefined
      })
    return one.refreshing
  }

  function keptOf(tenant: string): Kept {
    const known = kept.get(tenant) ?? { index: undefined, refreshing: undefined }
    kept.delete(tenant)
    kept.set(tenant, known)
    const [oldest] = kept.keys()
    if (kept.size > MOST_TENANTS && oldest !== undefined) kept.delete(oldest)
    return known
  }

  return {
    /** Undefined while the first index of a tenant is being built. */
    async read(tenant: string, signal: AbortSignal): Promise<TenantIndex | undefined> {
      const one = keptOf(tenant)
      const [row] = await query('select revision from site_indexes where tenant = ?', [tenant])
      if (one.index?.revision === Number(row?.revision ?? 0)) return one.index
      const refreshing = refresh(tenant, one)
      // A failure is that of the next search, which tries again.
      refreshing.catch(() => undefined)
      if (one.index !== undefined) return one.index
      return Promise.race([refreshing, pauseFor(FIRST_BUILD_MS, signal)])
    },
  }
}

function pauseFor(ms: number, signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), ms)
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
    timer.unref()
  })
}

async function updateIndex(
  query: Query,
  tenant: string,
  before: TenantIndex | undefined,
): Promise<TenantIndex> {
  const [row] = await query('select revision from site_indexes where tenant = ?', [tenant])
  const target = before ?? { revision: -1, pages: new Map(), index: createIndex() }
  const rows = await query(
    `select url, title, body, language, kind, product_id, price from site_pages
      where tenant = ? and revision > ?`,
    [tenant, target.revision],
  )
  for (const [at, changed] of rows.entries()) {
    putPage(target, toPage(changed))
    if (at % CHUNK === CHUNK - 1) await new Promise((resolve) => setImmediate(resolve))
  }
  await dropGone(query, tenant, target)
  target.revision = Number(row?.revision ?? 0)
  return target
}

function putPage({ pages, index }: TenantIndex, page: IndexedPage): void {
  if (pages.has(page.url)) index.discard(page.url)
  pages.set(page.url, page)
  index.add(page)
}

async function dropGone(query: Query, tenant: string, { pages, index }: TenantIndex) {
  const [row] = await query('select count(*) as n from site_pages where tenant = ?', [tenant])
  if (Number(row?.n ?? 0) === pages.size) return
  const rows = await query('select url from site_pages where tenant = ?', [tenant])
  const there = new Set(rows.map(({ url }) => String(url)))
  for (const url of [...pages.keys()])
    if (!there.has(url)) {
      pages.delete(url)
      index.discard(url)
    }
}

function toPage(row: Row): IndexedPage {
  return {
    url: String(row.url),
    title: String(row.title),
    body: String(row.body),
    language: String(row.language),
    kind: String(row.kind),
    productId: row.product_id === null ? undefined : String(row.product_id),
    price: row.price === null ? undefined : Number(row.price),
  }
}

function createIndex(): MiniSearch<IndexedPage> {
  return new MiniSearch<IndexedPage>({
    idField: 'url',
    fields: ['title', 'body'],
    processTerm: foldWord,
    searchOptions: { boost: { title: 3 }, prefix: (term) => term.length > 3, fuzzy: fuzziness },
  })
}

const STOP_WORDS = new Set(
  'a an and are for i in is it me my of on or please show some the to want with find der die das ein eine einen für ich im ist mir mit oder und zu zeig bitte'.split(
    ' ',
  ),
)

/** A word without case, accents and the plural of English and German; null for filler. */
function foldWord(word: string): string | null {
  const plain = word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  if (plain === '' || STOP_WORDS.has(plain)) return null
  return plain.length > 4 ? plain.replace(/(?:es|en|s|n)$/, '') : plain
}

function fuzziness(term: string): number | false {
  return term.length > 5 ? 0.2 : false
}

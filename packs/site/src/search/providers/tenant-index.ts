import type { PackGiven } from '@surehand/core/host'
import type { Row } from '@surehand/core/internal'
import { decodeVector, encodeVector } from '@surehand/discovery'
import { PageIndex } from './page-index.ts'

export type IndexedPage = {
  readonly url: string
  readonly title: string
  readonly language: string
  readonly kind: string
  readonly productId: string | undefined
  readonly price: number | undefined
  /** Of what was indexed. */
  readonly hash: string
}

/** The pages of one tenant, in memory; their texts stay in the database. */
export type TenantIndex = {
  revision: number
  readonly pages: Map<number, IndexedPage>
  readonly slots: Map<string, number>
  readonly words: PageIndex
  readonly vectors: ReturnType<typeof createPageVectors>
}

type Query = PackGiven['query']
type Kept = { index: TenantIndex | undefined; refreshing: Promise<TenantIndex> | undefined }

const MOST_TENANTS = 50
// A visitor waits for the first build no longer than this; it goes on in the background.
const FIRST_BUILD_MS = 1_500
// Rows that are read at once, and pages that are indexed before other calls are served.
const ROWS = 200
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
      if (one.index?.revision === (await readRevision(query, tenant))) return one.index
      const refreshing = refresh(tenant, one)
      // A failure is that of the next search, which tries again.
      refreshing.catch(() => undefined)
      if (one.index !== undefined) return one.index
      return Promise.race([refreshing, pauseFor(FIRST_BUILD_MS, signal)])
    },
  }
}

async function readRevision(query: Query, tenant: string): Promise<number> {
  const [row] = await query('select revision from site_indexes where tenant = ?', [tenant])
  return Number(row?.revision ?? 0)
}

function pauseFor(ms: number, signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), ms)
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
    timer.unref()
  })
}

function createIndex(): TenantIndex {
  return {
    revision: -1,
    pages: new Map(),
    slots: new Map(),
    words: new PageIndex(),
    vectors: createPageVectors(),
  }
}

async function updateIndex(
  query: Query,
  tenant: string,
  before: TenantIndex | undefined,
): Promise<TenantIndex> {
  const revision = await readRevision(query, tenant)
  const target = before === undefined || before.words.isWorn() ? createIndex() : before
  let last = { revision: target.revision + 1, url: '' }
  for (let isMore = true; isMore; ) {
    const rows = await query(CHANGED, [tenant, last.revision, last.revision, last.url, ROWS])
    for (const [at, row] of rows.entries()) {
      putPage(target, row)
      if (at % CHUNK === CHUNK - 1) await new Promise((resolve) => setImmediate(resolve))
    }
    const end = rows.at(-1)
    if (end !== undefined) last = { revision: Number(end.revision), url: String(end.url) }
    isMore = rows.length === ROWS
  }
  await dropGone(query, tenant, target)
  target.revision = revision
  return target
}

// In the order of the index on (tenant, revision): a site of 10,000 pages is never read at once.
const CHANGED = `select page.url, title, body, language, kind, product_id, price, page.hash,
    page.revision, vector.vector, vector.hash as vector_hash
  from site_pages page
  left join site_page_vectors vector on vector.tenant = page.tenant and vector.url = page.url
  where page.tenant = ? and (page.revision > ? or (page.revision = ? and page.url > ?))
  order by page.revision, page.url limit ?`

function putPage(target: TenantIndex, row: Row): void {
  const page = toPage(row)
  const { pages, slots, words, vectors } = target
  let slot = slots.get(page.url)
  // Only its vector is new, or what is not searched by words.
  if (slot === undefined || pages.get(slot)?.hash !== page.hash) {
    if (slot !== undefined) dropPage(target, page.url, slot)
    slot = words.put({ title: page.title, body: String(row.body) })
    slots.set(page.url, slot)
  }
  pages.set(slot, page)
  if (row.vector !== null && row.vector_hash === page.hash)
    vectors.put(slot, decodeVector(String(row.vector)))
}

function dropPage({ pages, slots, words, vectors }: TenantIndex, url: string, slot: number): void {
  pages.delete(slot)
  slots.delete(url)
  words.remove(slot)
  vectors.remove(slot)
}

async function dropGone(query: Query, tenant: string, target: TenantIndex): Promise<void> {
  const [row] = await query('select count(*) as n from site_pages where tenant = ?', [tenant])
  if (Number(row?.n ?? 0) === target.slots.size) return
  const rows = await query('select url from site_pages where tenant = ?', [tenant])
  const there = new Set(rows.map(({ url }) => String(url)))
  for (const [url, slot] of [...target.slots]) if (!there.has(url)) dropPage(target, url, slot)
}

function toPage(row: Row): IndexedPage {
  return {
    url: String(row.url),
    title: String(row.title),
    language: String(row.language),
    kind: String(row.kind),
    productId: row.product_id === null ? undefined : String(row.product_id),
    price: row.price === null ? undefined : Number(row.price),
    hash: String(row.hash),
  }
}

/** The vectors of a tenant's pages in one piece of memory, each as signed bytes. */
function createPageVectors() {
  let size = 0
  let values = new Int8Array(0)
  // The length of each vector; 0 where a page has none.
  let norms = new Float32Array(0)

  function grow(slots: number): void {
    if (norms.length >= slots) return
    const largerValues = new Int8Array(slots * 2 * size)
    largerValues.set(values)
    values = largerValues
    const largerNorms = new Float32Array(slots * 2)
    largerNorms.set(norms)
    norms = largerNorms
  }

  return {
    put(slot: number, vector: Int8Array): void {
      if (size === 0) size = vector.length
      // Of another model: it cannot be compared.
      if (vector.length !== size || size % 4 !== 0) return
      grow(slot + 1)
      values.set(vector, slot * size)
      norms[slot] = Math.hypot(...vector)
    },
    remove(slot: number): void {
      if (slot < norms.length) norms[slot] = 0
    },
    isEmpty: (): boolean => size === 0,
    has: (slot: number): boolean => (norms[slot] ?? 0) > 0,
    /** The cosine of every page with a vector; 0 for the others. */
    compare(query: readonly number[]): Float32Array {
      const cosines = new Float32Array(norms.length)
      if (query.length !== size) return cosines
      const wanted = decodeVector(encodeVector(query))
      const length = Math.hypot(...wanted)
      for (let slot = 0; slot < norms.length; slot++) {
        const norm = norms[slot] ?? 0
        if (norm > 0 && length > 0)
          cosines[slot] = multiply(values, slot * size, wanted) / (norm * length)
      }
      return cosines
    },
  }
}

// Four sums of whole numbers take half the time of one: the processor adds them side by side.
function multiply(values: Int8Array, start: number, by: Int8Array): number {
  let [first, second, third, fourth] = [0, 0, 0, 0]
  for (let at = 0; at < by.length; at += 4) {
    const from = start + at
    first = (first + Math.imul(values[from] as number, by[at] as number)) | 0
    second = (second + Math.imul(values[from + 1] as number, by[at + 1] as number)) | 0
    third = (third + Math.imul(values[from + 2] as number, by[at + 2] as number)) | 0
    fourth = (fourth + Math.imul(values[from + 3] as number, by[at + 3] as number)) | 0
  }
  return first + second + third + fourth
}

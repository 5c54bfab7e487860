import type { PackGiven } from '@surehand/core/host'
import type { Filter } from '@surehand/documents'
import type { Fetch } from '@surehand/vendors'
import MiniSearch from 'minisearch'
import { readSite } from '../../session/site-data.ts'
import { meetsFilters } from '../meets-filters.ts'
import type { FoundPage, SiteSearch } from '../search-port.ts'
import { askSite } from './ask-site.ts'

type Page = {
  readonly url: string
  readonly title: string
  readonly body: string
  readonly language: string
  readonly kind: string
  readonly productId: string | undefined
  readonly price: number | undefined
}

type TenantIndex = {
  readonly revision: number
  readonly pages: ReadonlyMap<string, Page>
  readonly index: MiniSearch<Page>
}

const PER_PAGE = 10
const MOST_TENANTS = 50
// The site's own ranking knows more than words; ours finds what it does not index.
const OWN_WEIGHT = 0.6

export type SearchParts = {
  readonly query: PackGiven['query']
  readonly fetchFor: (tenant: string) => Fetch
}

/** Searches the stored pages of one tenant in memory, and asks the site's own search if it has one. */
export function indexedSearch({ query, fetchFor }: SearchParts): SiteSearch {
  const indexes = new Map<string, TenantIndex>()

  async function indexOf(tenant: string): Promise<TenantIndex> {
    const [row] = await query('select revision from site_indexes where tenant = ?', [tenant])
    const revision = Number(row?.revision ?? 0)
    const known = indexes.get(tenant)
    if (known?.revision === revision) return known
    const built = await buildIndex(query, tenant, revision)
    indexes.delete(tenant)
    indexes.set(tenant, built)
    const [oldest] = indexes.keys()
    if (indexes.size > MOST_TENANTS && oldest !== undefined) indexes.delete(oldest)
    return built
  }

  return {
    async search({ tenant, query: words, filters, page }, signal) {
      const [found, own] = await Promise.all([
        indexOf(tenant).then((index) => searchIndex(index, words, filters)),
        askOwnSearch({ query, fetchFor }, tenant, words, signal),
      ])
      const merged = mergeResults(found, filters.length === 0 ? own.items : [])
      const start = readCursor(page)
      const items = merged.slice(start, start + PER_PAGE)
      const next = start + PER_PAGE
      return {
        items,
        nextPage: next < merged.length ? `p${next}` : undefined,
        missing: own.missing,
      }
    },
    async pages({ tenant, kind, language, max }) {
      const rows = await query(
        `select url, title, language from site_pages where tenant = ? and kind = ?
          order by case when language = ? then 0 else 1 end, revision desc, url limit ?`,
        [tenant, kind, language, max],
      )
      return rows.map((row) => ({
        url: String(row.url),
        title: String(row.title),
        language: String(row.language),
        kind,
      }))
    },
  }
}

async function buildIndex(
  query: PackGiven['query'],
  tenant: string,
  revision: number,
): Promise<TenantIndex> {
  const rows = await query(
    'select url, title, body, language, kind, product_id, price from site_pages where tenant = ?',
    [tenant],
  )
  const pages = rows.map((row) => ({
    url: String(row.url),
    title: String(row.title),
    body: String(row.body),
    language: String(row.language),
    kind: String(row.kind),
    productId: row.product_id === null ? undefined : String(row.product_id),
    price: row.price === null ? undefined : Number(row.price),
  }))
  const index = new MiniSearch<Page>({
    idField: 'url',
    fields: ['title', 'body'],
    processTerm: foldWord,
    searchOptions: { boost: { title: 3 }, prefix: (term) => term.length > 3, fuzzy: fuzziness },
  })
  // In chunks: ten thousand pages at once would hold up every other call for seconds.
  await index.addAllAsync(pages, { chunkSize: 20 })
  return { revision, index, pages: new Map(pages.map((page) => [page.url, page])) }
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

function searchIndex(
  { index, pages }: TenantIndex,
  words: string,
  filters: readonly Filter[],
): readonly FoundPage[] {
  const all = index.search(words, { combineWith: 'AND' })
  const results = all.length > 0 ? all : index.search(words)
  const best = results[0]?.score ?? 1
  return results.flatMap(({ id, score, terms }) => {
    const page = pages.get(String(id))
    if (page === undefined || !meetsFilters(page, filters)) return []
    return [
      {
        title: page.title,
        snippet: makeSnippet(page.body, terms),
        url: page.url,
        score: round(score / best),
        productId: page.productId,
      },
    ]
  })
}

const SNIPPET = 200

function makeSnippet(body: string, terms: readonly string[]): string {
  const text = body
    .replace(/[#*_>`[\]()]|https?:\S+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const lower = text.toLowerCase()
  const at = Math.max(0, Math.min(...terms.map((term) => place(lower, term))) - 40)
  const part = text.slice(at, at + SNIPPET)
  return `${at > 0 ? '…' : ''}${part}${at + SNIPPET < text.length ? '…' : ''}`
}

function place(text: string, term: string): number {
  const found = text.indexOf(term)
  return Math.max(found, 0)
}

async function askOwnSearch(
  { query, fetchFor }: SearchParts,
  tenant: string,
  words: string,
  signal: AbortSignal,
): Promise<{ readonly items: readonly FoundPage[]; readonly missing: readonly string[] }> {
  const contract = (await readSite(query, tenant))?.contract
  if (contract?.search === undefined) return { items: [], missing: [] }
  return askSite(
    fetchFor(tenant),
    { template: contract.search, words, origins: contract.origins },
    signal,
  )
}

function mergeResults(ours: readonly FoundPage[], own: readonly FoundPage[]): readonly FoundPage[] {
  const merged = new Map(ours.map((page) => [page.url, page]))
  for (const page of own) {
    const known = merged.get(page.url)
    const score = round(
      Math.min(1, (known?.score ?? 0) * (1 - OWN_WEIGHT) + page.score * OWN_WEIGHT),
    )
    merged.set(page.url, {
      ...page,
      score: Math.max(score, known?.score ?? 0),
      snippet: known?.snippet ?? page.snippet,
      productId: page.productId ?? known?.productId,
    })
  }
  return [...merged.values()].sort((left, right) => right.score - left.score)
}

function readCursor(page: string | undefined): number {
  const start = /^p(\d{1,6})$/.exec(page ?? '')?.[1]
  return start === undefined ? 0 : Number(start)
}

function round(score: number): number {
  return Math.round(score * 1_000) / 1_000
}

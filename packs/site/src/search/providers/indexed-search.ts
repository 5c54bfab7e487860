import type { PackGiven } from '@surehand/core/host'
import type { Filter } from '@surehand/documents'
import type { Fetch } from '@surehand/vendors'
import { readSite } from '../../session/site-data.ts'
import { meetsFilters } from '../meets-filters.ts'
import type { FoundPage, SiteSearch } from '../search-port.ts'
import { askSite } from './ask-site.ts'
import { type TenantIndex, tenantIndexes } from './tenant-index.ts'

const PER_PAGE = 10
// The site's own ranking knows more than words; ours finds what it does not index.
const OWN_WEIGHT = 0.6

export type SearchParts = {
  readonly query: PackGiven['query']
  readonly fetchFor: (tenant: string) => Fetch
}

/** Searches the stored pages of one tenant in memory, and asks the site's own search if it has one. */
export function indexedSearch({ query, fetchFor }: SearchParts): SiteSearch {
  const indexes = tenantIndexes(query)
  return {
    async search({ tenant, query: words, filters, page }, signal) {
      const [index, own] = await Promise.all([
        indexes.read(tenant, signal),
        askOwnSearch({ query, fetchFor }, tenant, words, signal),
      ])
      const found = index === undefined ? [] : searchIndex(index, words, filters)
      const merged = mergeResults(found, filters.length === 0 ? own.items : [])
      const start = readCursor(page)
      const next = start + PER_PAGE
      return {
        items: merged.slice(start, next),
        nextPage: next < merged.length ? `p${next}` : undefined,
        missing: [
          ...(index === undefined ? ['the index, which is being built'] : []),
          ...own.missing,
        ],
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

import type { PackGiven } from '@surehand/core/host'
import type { Embeddings } from '@surehand/discovery'
import type { Fetch } from '@surehand/vendors'
import { z } from 'zod'
import { readSite } from '../../session/site-data.ts'
import type { FoundPage, SiteSearch } from '../search-port.ts'
import { queryWords } from './page-index.ts'
import { rankPages } from './rank-pages.ts'
import { type TenantIndex, tenantIndexes } from './tenant-index.ts'

const PER_PAGE = 10
// The site's own ranking knows more than words; ours finds what it does not index.
const OWN_WEIGHT = 0.6
// The model may have to be loaded first: then the first search goes by words alone.
const MEANING_MS = 200

export type SearchParts = {
  readonly query: PackGiven['query']
  readonly fetchFor: (tenant: string) => Fetch
  /** Undefined where pages are searched by words alone. */
  readonly embeddings?: Embeddings | undefined
}

/** Searches the stored pages of one tenant in memory, and asks the site's own search if it has one. */
export function indexedSearch(parts: SearchParts): SiteSearch {
  const { query } = parts
  const indexes = tenantIndexes(query)
  return {
    async search({ tenant, query: words, filters, page }, signal) {
      const [own, { index, vector, missing }] = await Promise.all([
        askOwnSearch(parts, tenant, words, signal),
        readIndex(parts.embeddings, () => indexes.read(tenant, signal), { words, signal }),
      ])
      const ranked = index === undefined ? [] : rankPages(index, { words, filters, vector })
      const ours = ranked.map(({ page: { url, title, productId }, score }) => ({
        url,
        title,
        productId,
        score: round(score),
        snippet: '',
      }))
      const merged = mergeResults(ours, filters.length === 0 ? own.items : [])
      const start = readCursor(page)
      const next = start + PER_PAGE
      return {
        items: await addSnippets(query, tenant, { words, items: merged.slice(start, next) }),
        nextPage: next < merged.length ? `p${next}` : undefined,
        missing: [...missing, ...own.missing],
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

type Asked = { readonly words: string; readonly signal: AbortSignal }

/** The index, and the meaning of the query where pages can be compared by it. */
async function readIndex(
  embeddings: Embeddings | undefined,
  read: () => Promise<TenantIndex | undefined>,
  { words, signal }: Asked,
) {
  const index = await read()
  if (index === undefined) return { index, missing: ['the index, which is being built'] }
  if (embeddings === undefined || index.vectors.isEmpty()) return { index, missing: [] }
  try {
    const within = AbortSignal.any([signal, AbortSignal.timeout(MEANING_MS)])
    const answer = await embeddings.embed({ texts: [words] }, within)
    return { index, vector: answer?.vectors[0], missing: [] }
  } catch (thrown) {
    if (signal.aborted) throw thrown
    return { index, missing: ['the search by meaning'] }
  }
}

type Shown = { readonly words: string; readonly items: readonly FoundPage[] }

/** Texts are read for the results that are shown, not for all that were found. */
async function addSnippets(
  query: PackGiven['query'],
  tenant: string,
  { words, items }: Shown,
): Promise<readonly FoundPage[]> {
  const urls = items.filter(({ snippet }) => snippet === '').map(({ url }) => url)
  if (urls.length === 0) return items
  const rows = await query(
    `select url, body from site_pages where tenant = ? and url in (${urls.map(() => '?').join(', ')})`,
    [tenant, ...urls],
  )
  const bodies = new Map(rows.map(({ url, body }) => [String(url), String(body)]))
  const terms = queryWords(words)
  return items.map((item) => {
    const body = item.snippet === '' ? bodies.get(item.url) : undefined
    return body === undefined ? item : { ...item, snippet: makeSnippet(body, terms) }
  })
}

const SNIPPET = 200

function makeSnippet(body: string, terms: readonly string[]): string {
  const text = body
    .replace(/[#*_>`[\]()]|https?:\S+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const lower = text.toLowerCase()
  const places = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0)
  const at = places.length === 0 ? 0 : Math.max(0, Math.min(...places) - 40)
  const part = text.slice(at, at + SNIPPET)
  return `${at > 0 ? '…' : ''}${part}${at + SNIPPET < text.length ? '…' : ''}`
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

const Answer = z.object({
  items: z.array(
    z.object({
      title: z.string(),
      snippet: z.string().default(''),
      url: z.string(),
      score: z.number().min(0).max(1).default(0.5),
      productId: z.string().optional(),
    }),
  ),
})

// The visitor waits: what the site does not answer in this time is missing from the results.
const LONGEST_MS = 250

/** Asks the site's own search; its absence is reported, not an error. */
async function askSite(
  fetch: Fetch,
  {
    template,
    words,
    origins,
  }: { readonly template: string; readonly words: string; readonly origins: readonly string[] },
  signal: AbortSignal,
): Promise<{ readonly items: readonly FoundPage[]; readonly missing: readonly string[] }> {
  const missing = { items: [], missing: ["the site's own search"] }
  try {
    const url = template.replace('{query}', encodeURIComponent(words))
    const within = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)])
    const response = await fetch(url, { headers: { accept: 'application/json' }, signal: within })
    const answer = Answer.safeParse(await response.json())
    if (!response.ok || !answer.success) return missing
    // A result that leads elsewhere is no page of the site.
    const items = answer.data.items.filter(
      ({ url: page }) => URL.canParse(page) && origins.includes(new URL(page).origin),
    )
    return { items, missing: [] }
  } catch (thrown) {
    if (signal.aborted) throw thrown
    return missing
  }
}

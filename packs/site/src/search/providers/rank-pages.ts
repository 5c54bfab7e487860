import { ToolError } from '@surehand/core'
import type { Filter } from '@surehand/documents'
import { queryWords } from './page-index.ts'
import type { IndexedPage, TenantIndex } from './tenant-index.ts'

// Chosen with the tuning questions of testing/search-questions.ts.
/** How much the words count beside the meaning, whose cosine is at most 1. */
const WORDS_WEIGHT = 0.5
/** Pages below are left out, if the meaning of the page is known. */
const NEAR = 0.48
/** A page with so much of what was asked for stays, however far its meaning seems. */
const ENOUGH_WORDS = 0.3
/** How much more a page counts whose title begins with what was asked for. */
const NAMED = 1.5
/** Pages that are ranked; nobody looks further. */
const MOST_RANKED = 200

export type RankedPage = {
  readonly page: IndexedPage
  /** 0 to 1; the best page has 1. */
  readonly score: number
}
export type PageQuery = {
  readonly words: string
  readonly filters: readonly Filter[]
  /** The meaning of the query, where a model is there. */
  readonly vector?: readonly number[] | undefined
}

/** The pages that fit a query, best first: by words, and by meaning where it is known. */
export function rankPages(
  { words: index, vectors, pages }: TenantIndex,
  { words, filters, vector }: PageQuery,
): readonly RankedPage[] {
  const scores = new Map(index.search(words).map(({ slot, score }) => [slot, score]))
  if (vector !== undefined && !vectors.isEmpty()) addMeaning(scores, vectors, vector)
  const meets = filterPages(
    filters,
    (text) => new Set(index.search(text, 'whole').map(({ slot }) => slot)),
  )
  const asked = queryWords(words)
  const ranked = [...scores]
    .flatMap(([slot, score]) => {
      const page = pages.get(slot)
      return page !== undefined && meets(page, slot) ? [{ page, score }] : []
    })
    .sort((left, right) => right.score - left.score)
    .slice(0, MOST_RANKED)
    .map(({ page, score }) => ({ page, score: isNamed(page, asked) ? NAMED * score : score }))
    .sort((left, right) => right.score - left.score)
  const first = ranked[0]?.score ?? 1
  return ranked.map(({ page, score }) => ({ page, score: score / first }))
}

/** "Red roses" is the page of that name, before others that say more about red roses. */
function isNamed({ title }: IndexedPage, asked: readonly string[]): boolean {
  const named = queryWords(title).slice(0, asked.length)
  return asked.every((word) => named.includes(word))
}

/** Adds the meaning to the scores of words, and the pages that are near by meaning alone. */
function addMeaning(
  scores: Map<number, number>,
  vectors: TenantIndex['vectors'],
  query: readonly number[],
): void {
  const cosines = vectors.compare(query)
  for (const [slot, words] of scores) {
    // A page without a vector, in another language or new, is judged by its words.
    const cosine = vectors.has(slot) ? (cosines[slot] ?? 0) : words
    const score = cosine + WORDS_WEIGHT * words
    if (score < NEAR && words < ENOUGH_WORDS && vectors.has(slot)) scores.delete(slot)
    else scores.set(slot, score)
  }
  for (const [slot, cosine] of cosines.entries())
    if (cosine >= NEAR && !scores.has(slot)) scores.set(slot, cosine)
}

/** What the index stores of a page. Other fields, such as colour, are looked for in its words. */
const STORED = ['url', 'title', 'language', 'kind', 'productId', 'price'] as const
type Stored = (typeof STORED)[number]

type PageTest = (page: IndexedPage, slot: number) => boolean

/**
 * A test whether a page meets every filter. `mentioning` returns the pages that have all words of a
 * text.
 */
function filterPages(
  filters: readonly Filter[],
  mentioning: (text: string) => ReadonlySet<number>,
): PageTest {
  const tests = filters.map((filter) => toTest(filter, mentioning))
  return (page, slot) => tests.every((test) => test(page, slot))
}

function toTest(
  { field, op, value }: Filter,
  mentioning: (text: string) => ReadonlySet<number>,
): PageTest {
  if (isStored(field)) return (page) => meetsFilter(page[field], op, value)
  if (op === 'lt' || op === 'lte' || op === 'gt' || op === 'gte')
    throw new ToolError(
      'TOOL_INVALID_FIELD_VALUE',
      `Pages cannot be compared by ${field}: the index stores ${STORED.join(', ')}. Leave this filter out.`,
      { effect: 'none', details: { field: 'filters' } },
    )
  const sets = [value].flat().map((one) => mentioning(String(one)))
  const isWanted = op !== 'ne' && op !== 'notIn'
  return (_, slot) => sets.some((set) => set.has(slot)) === isWanted
}

function isStored(field: string): field is Stored {
  return (STORED as readonly string[]).includes(field)
}

function meetsFilter(stored: IndexedPage[Stored], op: Filter['op'], value: Filter['value']) {
  switch (op) {
    case 'eq':
      return stored === value
    case 'ne':
      return stored !== value
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return stored !== undefined && compare(stored, op, value)
    case 'in':
      return Array.isArray(value) && value.includes(stored as never)
    case 'notIn':
      return Array.isArray(value) && !value.includes(stored as never)
    case 'contains':
      return String(stored ?? '')
        .toLowerCase()
        .includes(String(value).toLowerCase())
    case 'prefix':
      return String(stored ?? '')
        .toLowerCase()
        .startsWith(String(value).toLowerCase())
  }
}

function compare(
  stored: string | number,
  op: 'lt' | 'lte' | 'gt' | 'gte',
  value: unknown,
): boolean {
  if (typeof stored !== typeof value) return false
  const order = stored < (value as typeof stored) ? -1 : stored > (value as typeof stored) ? 1 : 0
  switch (op) {
    case 'lt':
      return order < 0
    case 'lte':
      return order <= 0
    case 'gt':
      return order > 0
    case 'gte':
      return order >= 0
  }
}

import type { Filter } from '@surehand/documents'
import { filterPages } from '../meets-filters.ts'
import type { IndexedPage, TenantIndex } from './tenant-index.ts'

// Chosen with the tuning questions of testing/search-questions.ts.
/** How much the words count beside the meaning, whose cosine is at most 1. */
const WORDS_WEIGHT = 0.5
/** Pages below are left out, if the meaning of the page is known. */
const NEAR = 0.48
/** A page with so much of what was asked for stays, however far its meaning seems. */
const ENOUGH_WORDS = 0.3
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
  const ranked = [...scores]
    .flatMap(([slot, score]) => {
      const page = pages.get(slot)
      return page !== undefined && meets(page, slot) ? [{ page, score }] : []
    })
    .sort((left, right) => right.score - left.score)
    .slice(0, MOST_RANKED)
  const first = ranked[0]?.score ?? 1
  return ranked.map(({ page, score }) => ({ page, score: score / first }))
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

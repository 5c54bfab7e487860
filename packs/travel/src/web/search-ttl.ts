import type { Duration } from '@surehand/core'

// The first row that matches decides: "the weather today" is about now, though it could be news.
const TTL_BY_WORDS: readonly (readonly [words: RegExp, ttl: Duration])[] = [
  [/\b(?:now|today|weather)\b/, '120s'],
  [/\bnews\b/, '600s'],
  [/\b(?:prices?|fares?|flights?)\b/, '3600s'],
  [/\b(?:menus?|hours)\b/, '6h'],
]
const DEFAULT_TTL: Duration = '3600s'

/** How long the results of a search are cached: the shorter, the faster its subject changes. */
export function searchTtl(query: string): Duration {
  const folded = query.normalize('NFKC').toLowerCase()
  return TTL_BY_WORDS.find(([words]) => words.test(folded))?.[1] ?? DEFAULT_TTL
}

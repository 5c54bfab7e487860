import { isToolError, type Run } from '@surehand/core'
import type { Cabin } from '../flights/flights-port.ts'
import { searchUserMemories } from '../memories/search-user-memories.ts'

/** What is remembered of a traveller, as far as it changes a search. */
export type Remembered = {
  readonly texts: readonly string[]
  readonly cabin: Cabin
  readonly interests: readonly string[]
}

const QUERIES = {
  flights: 'flights, seats, cabin class, airlines',
  stays: 'hotels and places to stay, food, activities and interests',
} as const
const PER_QUERY = 4

const CABINS: readonly (readonly [words: RegExp, cabin: Cabin])[] = [
  [/\bfirst class\b/i, 'first'],
  [/\bbusiness class\b/i, 'business'],
  [/\bpremium economy\b/i, 'premium_economy'],
]
const INTERESTS: readonly (readonly [words: RegExp, interest: string])[] = [
  [/\bmuseums?\b|\bgaller/i, 'museums'],
  [/\bvegetarian\b/i, 'vegetarian restaurants'],
  [/\bhik/i, 'hiking'],
  [/\bbeach/i, 'beaches'],
  [/\bmarkets?\b/i, 'markets'],
]
const NEGATED = /\b(?:no|not|never|dislikes?|hates?|avoids?|doesn't|without)\b/i

/** Recalls what concerns the trip. A traveller without memories is planned for as anyone. */
export async function recallTraveller(run: Pick<Run<unknown>, 'all'>): Promise<Remembered> {
  const found = await run.all({
    flights: (branch) => search(branch, QUERIES.flights),
    stays: (branch) => search(branch, QUERIES.stays),
  })
  const memories = [...found.flights, ...found.stays]
  const texts = [...new Set(memories.map(({ content }) => content))]
  const wanted = texts.filter((text) => !NEGATED.test(text))
  const match = <T>(rules: readonly (readonly [RegExp, T])[]): readonly T[] =>
    rules.filter(([words]) => wanted.some((text) => words.test(text))).map(([, value]) => value)
  return { texts, cabin: match(CABINS)[0] ?? 'economy', interests: match(INTERESTS) }
}

// A plan without what is remembered is better than none.
async function search(run: Pick<Run<unknown>, 'step'>, query: string) {
  const limits = { within: '5s', retries: 0 } as const
  try {
    return await run.step('search', searchUserMemories, { query, limit: PER_QUERY }, limits)
  } catch (thrown) {
    if (!isToolError(thrown) || thrown.code === 'TOOL_RUN_DIVERGED') throw thrown
    return []
  }
}

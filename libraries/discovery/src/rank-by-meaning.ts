import type { TextIndex } from '@surehand/core/ports'
import type { Embeddings } from './local-embeddings.ts'

/** How many of the best tools are compared by meaning: each costs some 20 ms of CPU once. */
const RANKED = 20
/** How much the meaning counts beside the words, which count 1 for the best tool. */
const MEANING = 0.8
/** Words alone rank the tools of a small registry, and the model takes 100 MB of memory. */
const FEWEST_TOOLS = 200
const REMEMBERED_QUERIES = 200
const MAX_QUERY_CHARACTERS = 1_000
/** A search waits no longer for meanings. What is computed later serves the next one. */
const WAIT_MS = 1_500

export type MeaningOptions = {
  /** Ranks the best tools by meaning as well, in searches that `prepare` preceded. */
  readonly embeddings?: Embeddings
  /** How long a search waits for meanings, in milliseconds. */
  readonly waitMs?: number
}
export type Found = { readonly id: string; readonly score: number }

type Briefs = {
  readonly embeddings: Embeddings
  readonly waitMs?: number
  readonly count: () => number
  readonly briefOf: (id: string) => string
}

/** An index that ranks what `words` finds best by meaning, for queries that were prepared. */
export function rankByMeaning(
  words: TextIndex,
  { embeddings, waitMs = WAIT_MS, count, briefOf }: Briefs,
): TextIndex {
  /** By query: how near in meaning the best tools are. */
  const meanings = new Map<string, ReadonlyMap<string, number>>()

  async function compare(query: string): Promise<void> {
    const best = words.search(query, {}).slice(0, RANKED)
    if (count() < FEWEST_TOOLS || best.length < 2) return
    const texts = [query.slice(0, MAX_QUERY_CHARACTERS), ...best.map(({ id }) => briefOf(id))]
    const answer = await embeddings.embed({ texts }, AbortSignal.timeout(waitMs))
    const [asked, ...others] = answer?.vectors ?? []
    if (asked === undefined) return
    for (const oldest of [...meanings.keys()].slice(0, meanings.size + 1 - REMEMBERED_QUERIES))
      meanings.delete(oldest)
    meanings.set(query, new Map(best.map(({ id }, at) => [id, cosine(asked, others[at] ?? [])])))
  }

  return {
    put(text) {
      meanings.clear()
      words.put(text)
    },
    remove(id) {
      meanings.clear()
      words.remove(id)
    },
    search(query, boosts) {
      const found = words.search(query, boosts)
      const meaning = meanings.get(query)
      return meaning === undefined ? found : reorder(found, meaning)
    },
    async prepare(query) {
      // Where meanings fail or take too long, words alone rank the search.
      if (!meanings.has(query)) await compare(query).catch(() => undefined)
    },
  }
}

// The best tools change places and leave the scores to their places, so that they stay before all
// others and a score says the same as without meanings.
function reorder(found: readonly Found[], meaning: ReadonlyMap<string, number>): readonly Found[] {
  const best = found.slice(0, RANKED)
  const most = best[0]?.score ?? 1
  const value = ({ id, score }: Found): number => score / most + MEANING * (meaning.get(id) ?? 0)
  const ranked = [...best].sort((left, right) => value(right) - value(left))
  return [
    ...ranked.map(({ id }, at) => ({ id, score: best[at]?.score ?? 0 })),
    ...found.slice(RANKED),
  ]
}

function cosine(left: readonly number[], right: readonly number[]): number {
  let product = 0
  let one = 0
  let other = 0
  for (const [index, value] of left.entries()) {
    const beside = right[index] ?? 0
    product += value * beside
    one += value * value
    other += beside * beside
  }
  return one === 0 || other === 0 ? 0 : product / Math.sqrt(one * other)
}

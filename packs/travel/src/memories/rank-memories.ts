import { miniSearchIndex } from '@surehand/discovery'
import { cosine } from './embedding.ts'
import type { Memory } from './memories-port.ts'

// Measured over 60 questions: the meaning decides, and shared words settle what is close to equal.
const LEXICAL_WEIGHT = 0.2
// Of two memories that fit equally well, the newer one holds: preferences change.
const RECENCY_WEIGHT = 0.05
const RECENCY_HALF_LIFE_DAYS = 180
const DAY_MS = 86_400_000

export type RankedMemory = Memory & {
  /** How well it fits, from 0 on; comparable only within one answer. */
  readonly score: number
}

export type MemoryQuery = {
  readonly query: string
  readonly nowMs: number
  /** The meaning of the query, where a model is available. */
  readonly vector?: readonly number[] | undefined
}

export type Candidate = {
  readonly memory: Memory
  readonly vector?: readonly number[] | undefined
}

/**
 * The memories that fit a query, best first: cosine + 0.2 × lexical, and a little for being recent.
 * Without the meaning of the query, only memories that share a word with it.
 */
export function rankMemories(
  candidates: readonly Candidate[],
  { query, nowMs, vector }: MemoryQuery,
): readonly RankedMemory[] {
  const lexical = scoreWords(candidates, query)
  const scored = candidates.flatMap(({ memory, vector: own }): readonly RankedMemory[] => {
    const words = lexical.get(memory.id) ?? 0
    const meaning = vector === undefined || own === undefined ? 0 : Math.max(0, cosine(vector, own))
    if (words === 0 && meaning === 0) return []
    const fit = vector === undefined ? words : meaning + LEXICAL_WEIGHT * words
    return [{ ...memory, score: round(fit + RECENCY_WEIGHT * recency(memory, nowMs)) }]
  })
  return scored.sort(
    (left, right) => right.score - left.score || (left.createdAt < right.createdAt ? 1 : -1),
  )
}

/** From 0 to 1, where 1 is the memory whose words fit best. */
function scoreWords(candidates: readonly Candidate[], query: string): ReadonlyMap<string, number> {
  const index = miniSearchIndex()
  for (const { memory } of candidates)
    index.put({ id: memory.id, fields: { content: memory.content } })
  const found = index.search(query, {})
  const best = found[0]?.score ?? 1
  return new Map(found.map(({ id, score }) => [id, score / best]))
}

function recency({ createdAt }: Memory, nowMs: number): number {
  const days = Math.max(0, nowMs - Date.parse(createdAt)) / DAY_MS
  return 2 ** (-days / RECENCY_HALF_LIFE_DAYS)
}

function round(score: number): number {
  return Math.round(score * 10_000) / 10_000
}

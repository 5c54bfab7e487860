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
  /** The meaning of the query, in one or several forms, where a model is available. */
  readonly vectors?: readonly (readonly number[])[] | undefined
}

export type Candidate = {
  readonly memory: Memory
  readonly vector?: readonly number[] | undefined
}

const FUNCTION_WORDS = new Set(
  'a an and any anything are as at be by can did do does for from had has have he her him his how i in into is it may me my of on or our she should that the their them there they this to us want was we were what when where which who will with would you your'.split(
    ' ',
  ),
)

/**
 * The forms in which a query is compared: as it is, and its telling words alone. A model reads
 * "Does she mind …?" as a question, and memories are statements.
 */
export function queryForms(query: string): readonly string[] {
  const words = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !FUNCTION_WORDS.has(word))
  return words.length === 0 ? [query] : [query, words.join(' ')]
}

/**
 * The memories that fit a query, best first: cosine + 0.2 × lexical, and a little for being recent.
 * Without the meaning of the query, only memories that share a word with it.
 */
export function rankMemories(
  candidates: readonly Candidate[],
  { query, nowMs, vectors }: MemoryQuery,
): readonly RankedMemory[] {
  const lexical = scoreWords(candidates, query)
  const scored = candidates.flatMap(({ memory, vector: own }): readonly RankedMemory[] => {
    const words = lexical.get(memory.id) ?? 0
    const meaning = own === undefined ? 0 : meanCosine(vectors ?? [], own)
    if (words === 0 && meaning === 0) return []
    const fit = vectors === undefined ? words : meaning + LEXICAL_WEIGHT * words
    return [{ ...memory, score: round(fit + RECENCY_WEIGHT * recency(memory, nowMs)) }]
  })
  return scored.sort(
    (left, right) => right.score - left.score || (left.createdAt < right.createdAt ? 1 : -1),
  )
}

function meanCosine(forms: readonly (readonly number[])[], own: readonly number[]): number {
  const sum = forms.reduce((total, form) => total + cosine(form, own), 0)
  return Math.max(0, sum / Math.max(1, forms.length))
}

// Not an id of a memory.
const QUERY_ID = '\u0000query'

/**
 * From 0 to about 1, where 1 is what the words of the query itself would score. Compared with the
 * best memory instead, a single common word would count as much as a perfect match.
 */
function scoreWords(candidates: readonly Candidate[], query: string): ReadonlyMap<string, number> {
  const index = miniSearchIndex()
  index.put({ id: QUERY_ID, fields: { content: query } })
  for (const { memory } of candidates)
    index.put({ id: memory.id, fields: { content: memory.content } })
  const found = index.search(query, {})
  const whole = found.find(({ id }) => id === QUERY_ID)?.score ?? 1
  return new Map(
    found.filter(({ id }) => id !== QUERY_ID).map(({ id, score }) => [id, score / whole]),
  )
}

function recency({ createdAt }: Memory, nowMs: number): number {
  const days = Math.max(0, nowMs - Date.parse(createdAt)) / DAY_MS
  return 2 ** (-days / RECENCY_HALF_LIFE_DAYS)
}

function round(score: number): number {
  return Math.round(score * 10_000) / 10_000
}

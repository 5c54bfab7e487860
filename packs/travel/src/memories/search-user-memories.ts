import { defineTool, sensitive } from '@surehand/core'
import { miniSearchIndex } from '@surehand/discovery'
import { z } from 'zod'
import { contextOf, type TravelContext } from '../travel-context.ts'
import { cosine } from './embedding.ts'
import {
  type EmbeddingsPort,
  embeddingsPort,
  MEMORY_CATEGORIES,
  Memory,
  memoriesPort,
  type StoredMemory,
} from './memories-port.ts'
import { memoryPermissions } from './memory-contract.ts'

/** The newest ones are searched; older ones are too many to compare in a call. */
const MAX_SEARCHED = 2_000
/** How many memories without a vector of this model are computed in one search. */
const MAX_COMPUTED = 64
const MAX_EMBEDDING_MS = 5_000

export const searchUserMemories = defineTool({
  id: 'travel.searchUserMemories',
  title: 'Search memories',
  category: 'travel',
  description:
    "Finds what is remembered about the traveller, by meaning and by words; recent and relevant memories first. Search before you plan: 'food', 'flights', 'budget'. Only the person's own memories are searched.",
  aliases: ['searchUserMemories'],
  input: z.object({
    query: z.string().trim().min(1).max(500),
    limit: z.int().min(1).max(20).default(5),
    category: z.enum(MEMORY_CATEGORIES).optional().describe('Only memories of this category.'),
  }),
  // Sensitive, so that it is encrypted in the journal of a run.
  output: z.array(Memory.extend({ content: sensitive(z.string()), score: z.number() })).max(20),
  contract: {
    effect: 'read',
    permissions: memoryPermissions,
    timeout: '10s',
    securityLevel: 'confidential',
  },
  ports: { memories: memoriesPort, embeddings: embeddingsPort },
  examples: [
    { name: 'by meaning', input: { query: 'what does she like to eat?' } },
    {
      name: 'in a category',
      input: { query: 'hotels', category: 'user_preference', limit: 3 },
    },
  ],
  execute: async ({ input: { query, limit, category }, caller, ports, now, signal }) => {
    const context = contextOf(caller)
    const stored = await ports.memories.list({ ...context, limit: MAX_SEARCHED }, signal)
    const wanted = stored.filter((one) => category === undefined || one.category === category)
    const limited = AbortSignal.any([signal, AbortSignal.timeout(MAX_EMBEDDING_MS)])
    const meaning = await embedAll(query, wanted, {
      embeddings: ports.embeddings,
      context,
      limited,
    })
    signal.throwIfAborted()
    return rankMemories(meaning.candidates, {
      query,
      nowMs: now(),
      vectors: meaning.vectors,
    }).slice(0, limit)
  },
})

type Embedder = {
  readonly embeddings: EmbeddingsPort
  readonly context: TravelContext
  readonly limited: AbortSignal
}

/** The vectors of the query and of the memories. Where none can be had, words alone decide. */
async function embedAll(
  query: string,
  memories: readonly StoredMemory[],
  { embeddings, context, limited }: Embedder,
): Promise<{ candidates: readonly Candidate[]; vectors?: MemoryQuery['vectors'] }> {
  const plain = memories.map((memory) => ({ memory: toMemory(memory) }))
  if (memories.length === 0) return { candidates: plain }
  try {
    const asked = await embeddings.embed({ ...context, texts: queryForms(query) }, limited)
    if (asked === null) return { candidates: plain }
    const missing = memories
      .filter(({ embedding }) => embedding?.model !== asked.model)
      .slice(0, MAX_COMPUTED)
    const computed =
      missing.length === 0
        ? null
        : await embeddings.embed(
            { ...context, texts: missing.map(({ content }) => content) },
            limited,
          )
    const late = new Map(missing.map(({ id }, index) => [id, computed?.vectors[index]] as const))
    return {
      vectors: asked.vectors,
      candidates: memories.map((memory) => ({
        memory: toMemory(memory),
        vector:
          memory.embedding?.model === asked.model ? memory.embedding.vector : late.get(memory.id),
      })),
    }
  } catch {
    return { candidates: plain }
  }
}

function toMemory({ id, content, category, createdAt }: StoredMemory): Memory {
  return { id, content, category, createdAt }
}

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

type MemoryQuery = {
  readonly query: string
  readonly nowMs: number
  /** The meaning of the query, in one or several forms, where a model is available. */
  readonly vectors?: readonly (readonly number[])[] | undefined
}

type Candidate = {
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

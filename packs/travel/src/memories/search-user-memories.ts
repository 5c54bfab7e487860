import { defineTool, sensitive } from '@surehand/core'
import { z } from 'zod'
import { contextOf, type TravelContext } from '../travel-context.ts'
import {
  type EmbeddingsPort,
  embeddingsPort,
  MEMORY_CATEGORIES,
  Memory,
  memoriesPort,
  type StoredMemory,
} from './memories-port.ts'
import { memoryPermissions } from './memory-contract.ts'
import { type Candidate, type MemoryQuery, queryForms, rankMemories } from './rank-memories.ts'

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

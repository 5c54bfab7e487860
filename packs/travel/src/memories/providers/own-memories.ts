import type { PackGiven } from '@surehand/core/host'
import { encodeVector } from '@surehand/discovery'
import { z } from 'zod'
import { callInternal } from '../../call-internal.ts'
import type { TravelContext } from '../../travel-context.ts'
import { decodeEmbedding } from '../embedding.ts'
import { MEMORY_CATEGORIES, type MemoriesPort } from '../memories-port.ts'

const Row = z.object({
  id: z.string(),
  content: z.string(),
  category: z.enum(MEMORY_CATEGORIES),
  embedding_model: z.string().nullable(),
  embedding: z.string().nullable(),
  // PostgreSQL sends large integers as text.
  created_at: z.coerce.number(),
})
const Stored = z.object({ id: z.string(), createdAt: z.iso.datetime() })
const Erased = z.object({ forgotten: z.int() })

type Erasure = TravelContext & { readonly id: string | null; readonly idempotencyKey: string }

/** Memories in the runtime's own database. Writes are transactions of internal tools. */
export function ownMemories({ query, call }: Pick<PackGiven, 'query' | 'call'>): MemoriesPort {
  return {
    async add({ tenant, userId, embedding, idempotencyKey, ...memory }, signal) {
      const { id, content, category, sessionId, createdAt } = memory
      const stored = await callInternal(call, {
        tool: 'travel.storeMemory',
        context: { tenant, userId },
        input: {
          id,
          content,
          category,
          sessionId,
          createdAt,
          embeddingModel: embedding?.model ?? null,
          embedding: embedding === null ? null : encodeVector(embedding.vector),
        },
        idempotencyKey,
        signal,
      })
      return { content, category, ...Stored.parse(stored) }
    },
    async list({ tenant, userId, limit }) {
      const rows = await query(
        `select id, content, category, embedding_model, embedding, created_at
         from travel_memories where tenant = ? and owner = ?
         order by created_at desc, id desc limit ?`,
        [tenant, userId, limit],
      )
      return z
        .array(Row)
        .parse(rows)
        .map(({ id, content, category, embedding_model, embedding, created_at }) => ({
          id,
          content,
          category,
          createdAt: new Date(created_at).toISOString(),
          embedding: decodeEmbedding(embedding_model, embedding),
        }))
    },
    forget: async (request, signal) => ({ forgotten: (await erase(request, signal)) > 0 }),
    forgetAll: (request, signal) => erase({ ...request, id: null }, signal),
  }

  async function erase(
    { tenant, userId, id, idempotencyKey }: Erasure,
    signal: AbortSignal,
  ): Promise<number> {
    const erased = await callInternal(call, {
      tool: 'travel.eraseMemory',
      context: { tenant, userId },
      input: { id },
      idempotencyKey,
      signal,
    })
    return Erased.parse(erased).forgotten
  }
}

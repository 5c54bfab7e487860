import { encodeVector } from '@surehand/discovery'
import { type JsonRequest, sendJson, type VendorAccess } from '@surehand/vendors'
import { z } from 'zod'
import { decodeEmbedding } from '../embedding.ts'
import { MEMORY_CATEGORIES, type MemoriesPort, type StoredMemory } from '../memories-port.ts'

const COLUMNS = 'id,content,category,embedding_model,embedding,created_at'
const Rows = z.array(
  z.object({
    id: z.string(),
    content: z.string(),
    category: z.enum(MEMORY_CATEGORIES),
    embedding_model: z.string().nullable(),
    embedding: z.string().nullable(),
    created_at: z.string(),
  }),
)
type Row = z.output<typeof Rows>[number]

/**
 * Memories in a table `travel_memories` behind PostgREST, as Supabase serves it (the table is in the
 * README). The key of the service sees every row, so each request names the tenant and the person.
 */
export function postgrestMemories(access: VendorAccess): MemoriesPort {
  const send = (tenant: string, request: JsonRequest) =>
    sendJson(access.fetchFor(tenant), request, Rows)

  return {
    async add({ tenant, userId, embedding, ...memory }, signal) {
      const { id, content, category, sessionId, createdAt } = memory
      const row = {
        tenant,
        user_id: userId,
        id,
        content,
        category,
        session_id: sessionId,
        embedding_model: embedding?.model ?? null,
        embedding: embedding === null ? null : encodeVector(embedding.vector),
        created_at: createdAt,
      }
      const request = createRequest(
        access,
        { on_conflict: 'tenant,user_id,id', select: COLUMNS },
        signal,
      )
      const [stored] = await send(tenant, {
        ...request,
        method: 'POST',
        headers: {
          ...request.headers,
          prefer: 'resolution=ignore-duplicates,return=representation',
        },
        body: row,
      })
      // A row that was there before is not represented.
      return stored === undefined ? { id, content, category, createdAt } : toMemory(stored)
    },
    async list({ tenant, userId, limit }, signal) {
      const filter = {
        ...ownRows(tenant, userId),
        select: COLUMNS,
        order: 'created_at.desc,id.desc',
        limit: String(limit),
      }
      return (await send(tenant, createRequest(access, filter, signal))).map(toStoredMemory)
    },
    async forget({ tenant, userId, id }, signal) {
      const deleted = await remove(tenant, { ...ownRows(tenant, userId), id: `eq.${id}` }, signal)
      return { forgotten: deleted > 0 }
    },
    forgetAll: ({ tenant, userId }, signal) => remove(tenant, ownRows(tenant, userId), signal),
  }

  async function remove(
    tenant: string,
    filter: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<number> {
    const request = createRequest(access, { ...filter, select: COLUMNS }, signal)
    const headers = { ...request.headers, prefer: 'return=representation' }
    return (await send(tenant, { ...request, method: 'DELETE', headers })).length
  }
}

function ownRows(tenant: string, userId: string) {
  return { tenant: `eq.${tenant}`, user_id: `eq.${userId}` }
}

function createRequest(
  { baseUrl, key }: VendorAccess,
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
): JsonRequest {
  return {
    vendor: 'The memory service',
    url: `${baseUrl}/rest/v1/travel_memories?${new URLSearchParams(query)}`,
    headers: { apikey: key, authorization: `Bearer ${key}` },
    signal,
  }
}

function toMemory({ id, content, category, created_at }: Row) {
  return { id, content, category, createdAt: new Date(created_at).toISOString() }
}

function toStoredMemory(row: Row): StoredMemory {
  return { ...toMemory(row), embedding: decodeEmbedding(row.embedding_model, row.embedding) }
}

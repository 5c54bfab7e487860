import type { Execution } from '@surehand/core'
import { defineTool, defineTransaction, sensitive, transact } from '@surehand/core'
import { z } from 'zod'
import { internalPermissions } from '../internal-contract.ts'
import { MEMORY_CATEGORIES } from './memories-port.ts'
import { MAX_MEMORY_CHARACTERS, MEMORY_ID_LENGTH } from './memory-contract.ts'

const Input = z.object({
  id: z.string().min(1).max(MEMORY_ID_LENGTH),
  content: sensitive(z.string().min(1).max(MAX_MEMORY_CHARACTERS)),
  category: z.enum(MEMORY_CATEGORIES),
  sessionId: z.string().max(500),
  createdAt: z.iso.datetime(),
  embeddingModel: z.string().max(100).nullable(),
  embedding: sensitive(z.string().max(20_000)).nullable().describe('Signed bytes in base64.'),
})
type Input = z.output<typeof Input>
type Stored = Input & { readonly tenant: string; readonly owner: string }

const insertMemory = defineTransaction('travel.storeMemory', async (tx, memory: Stored) => {
  await tx.run(
    `insert into travel_memories
       (tenant, owner, id, content, category, session_id, embedding_model, embedding, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (tenant, owner, id) do nothing`,
    memory.tenant,
    memory.owner,
    memory.id,
    memory.content,
    memory.category,
    memory.sessionId,
    memory.embeddingModel,
    memory.embedding,
    Date.parse(memory.createdAt),
  )
  return { id: memory.id, createdAt: memory.createdAt }
})

/** The transaction behind `travel.addConversationMemory`, where memories are in our database. */
export const storeMemory = defineTool({
  id: 'travel.storeMemory',
  title: 'Store a memory',
  category: 'travel',
  description: 'Stores a memory of the caller. Part of travel.addConversationMemory.',
  input: Input,
  output: z.object({ id: z.string(), createdAt: z.iso.datetime() }),
  contract: {
    effect: 'writes.memory',
    reversible: true,
    idempotency: 'caller',
    permissions: internalPermissions,
    securityLevel: 'confidential',
  },
  examples: [
    {
      name: 'a preference',
      input: {
        id: 'mem_3',
        content: 'Prefers window seats.',
        category: 'user_preference',
        sessionId: 'session-1',
        createdAt: '2026-11-16T10:00:00.000Z',
        embeddingModel: null,
        embedding: null,
      },
    },
  ],
  transaction: transact(
    insertMemory,
    ({ input, caller }: Pick<Execution<Input, unknown>, 'input' | 'caller'>) => ({
      ...input,
      tenant: caller.tenant,
      owner: caller.principal,
    }),
  ),
})

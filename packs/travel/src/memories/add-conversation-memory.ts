import { defineTool, type Execution, sensitive } from '@surehand/core'
import { sha256 } from '@surehand/core/internal'
import { z } from 'zod'
import { contextOf } from '../travel-context.ts'
import {
  type Embedding,
  type EmbeddingsPort,
  embeddingsPort,
  MEMORY_CATEGORIES,
  memoriesPort,
} from './memories-port.ts'
import { MAX_MEMORY_CHARACTERS, memoryPermissions } from './memory-contract.ts'

/** A memory without an embedding is still found by its words. */
const MAX_EMBEDDING_MS = 3_000

export const addConversationMemory = defineTool({
  id: 'travel.addConversationMemory',
  title: 'Remember something',
  category: 'travel',
  description:
    'Remembers a fact about the traveller for later conversations: a preference, a past trip, what they usually search for. One fact in one sentence. Do not store payment data, passwords or document numbers. The person can forget it with travel.forgetMemory.',
  aliases: ['addConversationMemory'],
  input: z.object({
    // Encrypted in the record of the call, which outlives a memory that is forgotten.
    content: sensitive(z.string().trim().min(1).max(MAX_MEMORY_CHARACTERS)),
    category: z.enum(MEMORY_CATEGORIES).default('other'),
    sessionId: z.string().min(6).max(500).describe('Filled in by the runtime.'),
  }),
  output: z.object({ id: z.string(), createdAt: z.iso.datetime() }),
  fromCaller: { sessionId: 'session' },
  contract: {
    effect: 'writes.memory',
    reversible: true,
    idempotency: 'caller',
    permissions: memoryPermissions,
    limits: [{ calls: 20, per: '1m' }],
    timeout: '10s',
    retries: 1,
    securityLevel: 'confidential',
  },
  ports: { memories: memoriesPort, embeddings: embeddingsPort },
  examples: [
    {
      name: 'a preference',
      input: {
        content: 'Prefers window seats and vegetarian meals.',
        category: 'user_preference',
        sessionId: 'session-1',
      },
    },
    {
      name: 'a past trip',
      input: {
        content: 'Spent a week in Porto in June 2026 and loved the ceramics market.',
        category: 'trip_history',
        sessionId: 'session-1',
      },
    },
  ],
  execute: async (execution) => {
    const { input, caller, ports, idempotencyKey, now, signal } = execution
    const { id, createdAt } = await ports.memories.add(
      {
        ...contextOf(caller),
        ...input,
        // Derived from the key, so that a call that is repeated after a crash adds it once.
        id: `mem_${sha256(idempotencyKey).slice(0, 24)}`,
        createdAt: new Date(now()).toISOString(),
        embedding: await embedContent(execution),
        idempotencyKey,
      },
      signal,
    )
    return { id, createdAt }
  },
})

async function embedContent({
  input,
  caller,
  ports,
  signal,
}: Pick<
  Execution<{ readonly content: string }, { readonly embeddings: EmbeddingsPort }>,
  'input' | 'caller' | 'ports' | 'signal'
>): Promise<Embedding | null> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(MAX_EMBEDDING_MS)])
  try {
    const computed = await ports.embeddings.embed(
      { ...contextOf(caller), texts: [input.content] },
      limit,
    )
    const [vector] = computed?.vectors ?? []
    return computed === null || vector === undefined ? null : { model: computed.model, vector }
  } catch {
    signal.throwIfAborted()
    return null
  }
}

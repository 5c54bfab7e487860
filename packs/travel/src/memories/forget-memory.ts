import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { contextOf } from '../travel-context.ts'
import { memoriesPort } from './memories-port.ts'
import { MEMORY_ID_LENGTH, memoryPermissions } from './memory-contract.ts'

export const forgetMemory = defineTool({
  id: 'travel.forgetMemory',
  title: 'Forget a memory',
  category: 'travel',
  description:
    'Deletes one memory of the traveller for good. Find its id with travel.searchUserMemories.',
  aliases: ['forgetMemory'],
  input: z.object({ id: z.string().min(1).max(MEMORY_ID_LENGTH) }),
  output: z.object({
    id: z.string(),
    forgotten: z.boolean().describe('False: the person has no memory with this id.'),
  }),
  contract: {
    effect: 'writes.memory',
    reversible: false,
    idempotency: ({ id }) => `forget:${id}`,
    permissions: memoryPermissions,
    limits: [{ calls: 60, per: '1m' }],
    onRefusal: 'release',
  },
  ports: { memories: memoriesPort },
  examples: [
    { name: 'a memory', input: { id: 'mem_1' } },
    { name: 'another', input: { id: 'mem_2' } },
  ],
  execute: async ({ input: { id }, caller, ports, idempotencyKey, signal }) => {
    const { forgotten } = await ports.memories.forget(
      { ...contextOf(caller), id, idempotencyKey },
      signal,
    )
    return { id, forgotten }
  },
})

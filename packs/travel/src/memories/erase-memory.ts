import type { Execution } from '@surehand/core'
import { defineTool, defineTransaction, transact } from '@surehand/core'
import { z } from 'zod'
import { internalPermissions } from '../internal-contract.ts'
import { MEMORY_ID_LENGTH } from './memory-contract.ts'

const Input = z.object({ id: z.string().min(1).max(MEMORY_ID_LENGTH) })
type Input = z.output<typeof Input>
type Named = Input & { readonly tenant: string; readonly owner: string }

const deleteMemory = defineTransaction(
  'travel.eraseMemory',
  async (tx, { tenant, owner, id }: Named) => {
    const { changes } = await tx.run(
      'delete from travel_memories where tenant = ? and owner = ? and id = ?',
      tenant,
      owner,
      id,
    )
    return { forgotten: changes > 0 }
  },
)

/** The transaction behind `travel.forgetMemory`, where memories are in our database. */
export const eraseMemory = defineTool({
  id: 'travel.eraseMemory',
  title: 'Erase a memory',
  category: 'travel',
  description: 'Deletes a memory of the caller. Part of travel.forgetMemory.',
  input: Input,
  output: z.object({ forgotten: z.boolean() }),
  contract: {
    effect: 'writes.memory',
    reversible: false,
    idempotency: 'caller',
    permissions: internalPermissions,
  },
  examples: [{ name: 'a memory', input: { id: 'mem_1' } }],
  transaction: transact(
    deleteMemory,
    ({ input, caller }: Pick<Execution<Input, unknown>, 'input' | 'caller'>) => ({
      ...input,
      tenant: caller.tenant,
      owner: caller.principal,
    }),
  ),
})

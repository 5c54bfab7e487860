import type { Execution } from '@surehand/core'
import { defineTool, defineTransaction, transact } from '@surehand/core'
import { z } from 'zod'
import { internalPermissions } from '../internal-contract.ts'
import { MEMORY_ID_LENGTH } from './memory-contract.ts'

const Input = z.object({
  id: z.string().min(1).max(MEMORY_ID_LENGTH).nullable().describe('Null: all of them.'),
})
type Input = z.output<typeof Input>
type Named = Input & { readonly tenant: string; readonly owner: string }

const deleteMemory = defineTransaction(
  'travel.eraseMemory',
  async (tx, { tenant, owner, id }: Named) => {
    const ofOwner = 'delete from travel_memories where tenant = ? and owner = ?'
    const { changes } =
      id === null
        ? await tx.run(ofOwner, tenant, owner)
        : await tx.run(`${ofOwner} and id = ?`, tenant, owner, id)
    return { forgotten: changes }
  },
)

/** The transaction behind `travel.forgetMemory` and `travel.deleteAllData` in our own database. */
export const eraseMemory = defineTool({
  id: 'travel.eraseMemory',
  title: 'Erase memories',
  category: 'travel',
  description: 'Deletes one memory of the caller, or all. Part of travel.forgetMemory.',
  input: Input,
  output: z.object({ forgotten: z.int() }),
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

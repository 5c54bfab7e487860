import { defineTool, defineTransaction, type Execution, transact } from '@surehand/core'
import { z } from 'zod'
import { internalPermissions } from '../internal-contract.ts'

type Owner = { readonly tenant: string; readonly owner: string }

const deleteShares = defineTransaction(
  'travel.eraseShares',
  async (tx, { tenant, owner }: Owner) => {
    const sql = 'delete from travel_shares where tenant = ? and owner = ?'
    return { shares: (await tx.run(sql, tenant, owner)).changes }
  },
)

/** A transaction behind `travel.deleteAllData`. */
export const eraseShares = defineTool({
  id: 'travel.eraseShares',
  title: 'Erase shared links',
  category: 'travel',
  description: 'Deletes every link of the caller. Part of travel.deleteAllData.',
  input: z.object({}),
  output: z.object({ shares: z.int() }),
  contract: {
    effect: 'writes.plan',
    reversible: false,
    idempotency: 'caller',
    permissions: internalPermissions,
  },
  examples: [{ name: 'all', input: {} }],
  transaction: transact(
    deleteShares,
    ({ caller }: Pick<Execution<unknown, unknown>, 'caller'>) => ({
      tenant: caller.tenant,
      owner: caller.principal,
    }),
  ),
})

import { defineTool, defineTransaction, type Execution, transact } from '@surehand/core'
import { z } from 'zod'
import { internalPermissions } from '../internal-contract.ts'
import { toShare } from './share-row.ts'
import { Share } from './shares-port.ts'

const Input = z.object({ shareId: z.string().min(1).max(64) })
type Input = z.output<typeof Input>
type Revocation = Input & {
  readonly tenant: string
  readonly owner: string
  readonly now: number
}

const endShare = defineTransaction(
  'travel.revokeShare',
  async (tx, { tenant, owner, shareId, now }: Revocation) => {
    await tx.run(
      `update travel_shares set revoked_at = ?
       where tenant = ? and owner = ? and id = ? and revoked_at is null`,
      now,
      tenant,
      owner,
      shareId,
    )
    const row = await tx.get(
      'select * from travel_shares where tenant = ? and owner = ? and id = ?',
      tenant,
      owner,
      shareId,
    )
    return row === undefined ? null : toShare(row)
  },
)

/** The transaction behind `travel.unsharePlan`. */
export const revokeShare = defineTool({
  id: 'travel.revokeShare',
  title: 'Revoke a shared link',
  category: 'travel',
  description: 'Revokes a link of the caller. Part of travel.unsharePlan.',
  input: Input,
  output: Share.nullable(),
  contract: {
    effect: 'writes.plan',
    reversible: false,
    idempotency: 'caller',
    permissions: internalPermissions,
  },
  examples: [{ name: 'a link', input: { shareId: 'share_1' } }],
  transaction: transact(
    endShare,
    ({ input, caller, now }: Pick<Execution<Input, unknown>, 'input' | 'caller' | 'now'>) => ({
      ...input,
      tenant: caller.tenant,
      owner: caller.principal,
      now: now(),
    }),
  ),
})

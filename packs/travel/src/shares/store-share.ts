import { randomBytes } from 'node:crypto'
import { defineTool, defineTransaction, type Execution, transact } from '@surehand/core'
import { sha256 } from '@surehand/core/internal'
import { z } from 'zod'
import { internalPermissions } from '../internal-contract.ts'
import { PLAN_ID_LENGTH } from '../plans/plan-contract.ts'
import { toShare } from './share-row.ts'
import { Share } from './shares-port.ts'

const TOKEN_BYTES = 24

const Input = z.object({
  planId: z.string().min(1).max(PLAN_ID_LENGTH),
  expiresAt: z.iso.datetime(),
})
type Input = z.output<typeof Input>
type NewShare = {
  readonly tenant: string
  readonly owner: string
  readonly id: string
  readonly token: string
  readonly planId: string
  readonly createdAt: number
  readonly expiresAt: number
}

const insertShare = defineTransaction('travel.storeShare', async (tx, share: NewShare) => {
  const { tenant, owner, id, token, planId, createdAt, expiresAt } = share
  await tx.run(
    `insert into travel_shares (tenant, id, owner, plan_id, token_hash, created_at, expires_at)
     values (?, ?, ?, ?, ?, ?, ?)`,
    tenant,
    id,
    owner,
    planId,
    sha256(token),
    createdAt,
    expiresAt,
  )
  const row = { id, plan_id: planId, created_at: createdAt, expires_at: expiresAt }
  return { ...toShare({ ...row, revoked_at: null }), token }
})

/** The transaction behind `travel.sharePlan`. */
export const storeShare = defineTool({
  id: 'travel.storeShare',
  title: 'Store a shared link',
  category: 'travel',
  description: 'Stores a link to a plan of the caller. Part of travel.sharePlan.',
  input: Input,
  output: Share.extend({ token: z.string() }),
  contract: {
    effect: 'writes.plan',
    reversible: true,
    idempotency: 'caller',
    permissions: internalPermissions,
  },
  examples: [
    { name: 'a plan', input: { planId: 'plan_1', expiresAt: '2027-01-01T00:00:00.000Z' } },
  ],
  transaction: transact(
    insertShare,
    ({
      input: { planId, expiresAt },
      caller,
      newId,
      now,
    }: Pick<Execution<Input, unknown>, 'input' | 'caller' | 'newId' | 'now'>) => ({
      tenant: caller.tenant,
      owner: caller.principal,
      id: newId('share'),
      // A secret, so it comes from the system's random source: ids of the runtime can be guessed.
      token: randomBytes(TOKEN_BYTES).toString('base64url'),
      planId,
      createdAt: now(),
      expiresAt: Date.parse(expiresAt),
    }),
  ),
})

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

import type { Row } from '@surehand/core/internal'
import { defineStep, type Sql } from '../step.ts'
import { extendTree, openTree } from './extend-tree.ts'
import { HEAD_COLUMNS, headOfRow, type SignedHead } from './signed-head.ts'

// Looks up the tenants in a partial index, one look-up each: a tenant with a million waiting
// records costs no more than one with a single record.
const PENDING = `with recursive waiting (tenant) as (
    select min(tenant) from audit_records where position is null
    union all
    select (select min(tenant) from audit_records where position is null and tenant > waiting.tenant) from waiting where waiting.tenant is not null)
  select tenant from waiting where tenant is not null
  union select tenant from audit_trees where anchored_size < size`

/** The tenants with records that have no position, signature or anchor yet. */
export const pendingTenants = defineStep(
  'audit.pending',
  { mode: 'read', statements: 'one' },
  async (sql: Sql): Promise<readonly string[]> =>
    (await sql.all(PENDING)).map(({ tenant }) => String(tenant)),
)

/** How many records of all tenants have no place in their tree yet. */
export const countUnsequenced = defineStep(
  'audit.count-unsequenced',
  { mode: 'read', statements: 'one' },
  async (sql: Sql): Promise<number> => Number((await sql.get(COUNT_UNSEQUENCED))?.number ?? 0),
)

const COUNT_UNSEQUENCED = 'select count(*) as number from audit_records where position is null'

const ANSWERED = 'size, frontier, fence, head_size, anchored_size, {now} as read_at'
const TAKE = `update audit_trees set fence = case when holder = ? then fence else fence + 1 end, holder = ?, lease_until = {now} + ?
  where tenant = ? and (holder = ? or lease_until <= {now}) returning ${ANSWERED}`
const PLANT = `insert into audit_trees (tenant, size, frontier, holder, fence, lease_until, head_size, anchored_size, erasures)
  values (?, 0, '', ?, 1, {now} + ?, 0, 0, 0) on conflict do nothing returning ${ANSWERED}`

export type SequenceRequest = {
  readonly tenant: string
  readonly holder: string
  readonly leaseMs: number
  readonly limit: number
}

export type Sequenced =
  | { readonly kind: 'held' }
  | {
      readonly kind: 'ours'
      readonly fence: number
      readonly added: number
      readonly size: number
      readonly root: string
      /** The database's time. */
      readonly at: number
      /** The head of this size, if there is one already. */
      readonly head: SignedHead | undefined
      readonly isAnchored: boolean
    }

/**
 * Takes or keeps the lease on a tenant's tree and assigns positions to the next batch, in one
 * transaction. Losing it in a power failure is harmless: no head of it was published, because heads
 * are durable.
 */
export const sequenceStep = defineStep(
  'audit.sequence',
  { mode: 'lazy', statements: 'many' },
  async (sql: Sql, { tenant, holder, leaseMs, limit }: SequenceRequest): Promise<Sequenced> => {
    const row =
      (await sql.get(TAKE, holder, holder, leaseMs, tenant, holder)) ??
      (await sql.get(PLANT, tenant, holder, leaseMs))
    if (row === undefined) return { kind: 'held' }
    const tree = openTree({ tenant, size: Number(row.size), frontier: String(row.frontier) })
    const added = await extendTree(sql, tree, tenant, limit)
    const head =
      added === 0 && Number(row.head_size) === tree.size()
        ? await headAt(sql, tenant, tree.size())
        : undefined
    const isAnchored = added === 0 && Number(row.anchored_size) === tree.size()
    return {
      kind: 'ours',
      fence: Number(row.fence),
      added,
      size: tree.size(),
      root: tree.root(),
      at: Number(row.read_at),
      head,
      isAnchored,
    }
  },
)

async function headAt(sql: Sql, tenant: string, size: number): Promise<SignedHead | undefined> {
  const row: Row | undefined = await sql.get(
    `select ${HEAD_COLUMNS} from audit_heads where tenant = ? and size = ?`,
    tenant,
    size,
  )
  return row && headOfRow(row)
}

const RAISE =
  'update audit_trees set head_size = ? where tenant = ? and holder = ? and fence = ? and head_size < ?'
const INSERT_HEAD = `insert into audit_heads (${HEAD_COLUMNS})
  select cast(? as text), cast(? as bigint), cast(? as text), cast(? as bigint), cast(? as text), cast(? as text)`

/**
 * Stores a head durably, and with it everything it covers; false when another process has taken
 * over the tree.
 */
export const keepHead = defineStep(
  'audit.keep-head',
  { mode: 'durable', statements: 'one' },
  (
    sql: Sql,
    {
      head,
      holder,
      fence,
    }: { readonly head: SignedHead; readonly holder: string; readonly fence: number },
  ): Promise<boolean> => {
    const { tenant, size, root, signed_at, key_id, signature } = head
    return sql.runBoth(
      { text: RAISE, values: [size, tenant, holder, fence, size] },
      { text: INSERT_HEAD, values: [tenant, size, root, signed_at, key_id, signature] },
    )
  },
)

/** Marks a head as stored by every anchor. */
export const markAnchored = defineStep(
  'audit.mark-anchored',
  { mode: 'lazy', statements: 'one' },
  async (
    sql: Sql,
    { tenant, size }: { readonly tenant: string; readonly size: number },
  ): Promise<void> => {
    await sql.run(
      'update audit_trees set anchored_size = ? where tenant = ? and anchored_size < ?',
      size,
      tenant,
      size,
    )
  },
)

/** Releases the leases, so that another node can continue without waiting. */
export const releaseTrees = defineStep(
  'audit.release',
  { mode: 'lazy', statements: 'one' },
  async (sql: Sql, { holder }: { readonly holder: string }): Promise<void> => {
    await sql.run('update audit_trees set lease_until = 0 where holder = ?', holder)
  },
)

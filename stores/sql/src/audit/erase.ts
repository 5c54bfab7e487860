import { ToolError } from '@surehand/core/worker-entry'
import type { NOTES } from '../runs/forget-notes.ts'
import { sealing } from '../sealing.ts'
import { defineStep, type Sql } from '../step.ts'
import type { AuditKey } from './audit-key.ts'
import { eraseWord } from './erase-word.ts'
import { sealErasure } from './erasure-seal.ts'
import { extendTree, openTree } from './extend-tree.ts'
import type { GrowingTree } from './merkle.ts'
import { insertDatedRecord } from './record-row.ts'
import { erasedPlaces, tombstoneRecord } from './tombstone.ts'

export type EraseRequest = {
  readonly tenant: string
  /** Who is to be forgotten. */
  readonly principal: string
  /** Who asks for it. */
  readonly by: string
  readonly actor: string
  /** Of the tombstone. */
  readonly id: string
}

export type Erased = {
  /** Undefined: there was nothing left to erase. */
  readonly tombstone: string | undefined
  readonly records: number
  readonly calls: number
  /** Questions of theirs that were emptied, and those of others where they decided, answered or edited and are not named any more. */
  readonly approvals: number
  readonly evidence: number
  /** Calls that have not ended, theirs and those they bore witness on: they keep what they need. Erase again once they have. */
  readonly underWay: readonly string[]
  /** Questions that keep what they are about, or who edited them: they may still be answered, or are a no that still binds. */
  readonly kept: readonly string[]
}

/** Keys are handed in with each request, for none is in the database: one seals the tombstone, the others open what is encrypted there. */
export type EraseOrder = EraseRequest & {
  readonly key: AuditKey
  readonly secretKeys?: readonly Uint8Array[]
}

const PLANT = `insert into audit_trees (tenant, size, frontier, holder, fence, lease_until, head_size, anchored_size, erasures)
  values (?, 0, '', '', 0, 0, 0, 0, 0) on conflict do nothing`
const LOCK = 'select size, frontier, {now} as read_at from audit_trees where tenant = ? {lock}'
const AT_ONCE = 1_000

const ENDED = "('succeeded', 'failed', 'cancelled', 'released', 'pruned')"
// key and principal stay, for as long as the key is kept: without them the same key would do the same thing again
const ERASE_CALLS = `update calls set state = case when state in ('succeeded', 'failed') then 'pruned' else state end,
    input = '', input_hash = '', answer = null, caller = '{}', scopes = '{}', provider_key = '', request_id = '',
    effect_args_hash = case when effect_args_hash is null then null else '' end
  where tenant = ? and principal = ? and state in ${ENDED}
    and (input <> '' or input_hash <> '' or answer is not null or caller <> '{}' or scopes <> '{}' or provider_key <> '' or request_id <> '')`
const ERASE_EVIDENCE = `update evidence set text = '' where text <> '' and tenant = ?
  and call_id in (select call_id from calls where tenant = ? and principal = ? and state in ${ENDED})`
// a question that may still be answered, and a no that still binds, keep what they are about; a yes without a call to use it does not
const FULL =
  "(input_hash <> '' or asks <> '' or shown <> '{}' or digest <> '' or edited_by is not null or decision is not null)"
const ERASE_APPROVALS = `update approvals set input_hash = '', asks = '', shown = '{}', digest = '', edited_by = null, decision = null
  where tenant = ? and principal = ? and (state in ('approved', 'expired', 'used', 'replaced') or expires_at <= {now})
    and not exists (select 1 from calls c where c.call_id = approvals.call_id and c.state not in ${ENDED}) and ${FULL}`
// what a run was told, asked and reported is the person's whose call it is
const OF_ENDED = `tenant = ? and call_id in (select call_id from calls where tenant = ? and principal = ? and state in ${ENDED})`
const KEPT = `select id from approvals where tenant = ? and principal = ? and ${FULL}`
const UNDER_WAY = `select call_id from calls where tenant = ? and principal = ? and state not in ${ENDED} order by call_id`

// only what has its place: meanwhile others write on, and what they write is found when it is done again
const THEIRS = 'tenant = ? and principal = ? and erasure is null and position is not null'
const PLACES = `select position from audit_records where ${THEIRS} order by position`
const ERASE_RECORDS = `update audit_records set principal = '', error = '', input_hash = '', output_hash = '', salt = '',
  erased_at = ?, erasure = ? where ${THEIRS}`

/**
 * Forgets a person: payload, salt and plain hashes go, the leaves stay, a tombstone says so. One transaction; done twice it does nothing.
 */
export const eraseStep = defineStep(
  'audit.erase',
  { mode: 'durable', statements: 'many' },
  async (sql: Sql, order: EraseOrder): Promise<Erased> => {
    const { tenant, principal, id } = order
    await sql.run(PLANT, tenant)
    const locked = await sql.get(LOCK, tenant)
    const at = Number(locked?.read_at)
    const tree = openTree({
      tenant,
      size: Number(locked?.size),
      frontier: String(locked?.frontier),
    })
    // a record must be committed to before it is emptied, or its leaf would say that it always was
    await placeAll(sql, tree, tenant)
    const places = (await sql.all(PLACES, tenant, principal)).map(({ position }) =>
      Number(position),
    )
    const { underWay, kept, ...emptied } = await emptyRows(sql, order)
    const counted = { records: places.length, ...emptied }
    if (Object.values(counted).every((count) => count === 0))
      return { tombstone: undefined, ...counted, underWay, kept }
    await sql.run(ERASE_RECORDS, at, id, tenant, principal)
    await bury(sql, order, at, places)
    await placeAll(sql, tree, tenant)
    return { tombstone: id, ...counted, underWay, kept }
  },
)

async function placeAll(sql: Sql, tree: GrowingTree, tenant: string): Promise<void> {
  while ((await extendTree(sql, tree, tenant, AT_ONCE)) === AT_ONCE);
}

/** Their own calls and questions, and their word on those of others. */
async function emptyRows(
  sql: Sql,
  { tenant, principal, secretKeys = [] }: EraseOrder,
): Promise<Omit<Erased, 'tombstone' | 'records'>> {
  const evidence = await sql.run(ERASE_EVIDENCE, tenant, tenant, principal)
  const calls = await sql.run(ERASE_CALLS, tenant, principal)
  const questions = await eraseNotes(sql, tenant, principal)
  const approvals = await sql.run(ERASE_APPROVALS, tenant, principal)
  const word = await eraseWord(sql, { tenant, principal, secrets: sealing(secretKeys) })
  const underWay = (await sql.all(UNDER_WAY, tenant, principal)).map(({ call_id }) =>
    String(call_id),
  )
  const kept = (await sql.all(KEPT, tenant, principal)).map(({ id }) => String(id))
  return {
    calls,
    approvals: approvals + questions + word.approvals,
    evidence: evidence + word.evidence,
    underWay: inOrder(underWay, word.underWay),
    kept: inOrder(kept, word.kept),
  }
}

/** How many questions were among them. */
async function eraseNotes(sql: Sql, tenant: string, principal: string): Promise<number> {
  const forget = (table: (typeof NOTES)[number]) =>
    sql.run(`delete from ${table} where ${OF_ENDED}`, tenant, tenant, principal)
  await forget('journal')
  await forget('progress')
  return forget('questions')
}

function inOrder(...lists: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(lists.flat())].toSorted()
}

async function bury(
  sql: Sql,
  order: EraseOrder,
  at: number,
  places: readonly number[],
): Promise<void> {
  const { id, tenant, principal, by, actor, key } = order
  // two tombstones of one name could not be told apart, and the audit would read as broken
  if (
    (await sql.get(
      'select 1 as found from audit_records where call_id = ? and tenant = ?',
      id,
      tenant,
    )) !== undefined
  )
    throw new ToolError(
      'TOOL_INVALID_INPUT',
      `There is a record with the id ${id} already: an erasure has an id of its own.`,
    )
  const erased = erasedPlaces()
  for (const position of places) erased.add(position)
  const outcome = erased.outcome()
  const seal = sealErasure({ tenant, id, at, outcome }, key)
  // whoever erases themselves must not stand on their own tombstone
  const { text, values } = insertDatedRecord(
    tombstoneRecord({
      id,
      tenant,
      by: by === principal ? 'the person' : by,
      actor,
      at,
      outcome,
      seal,
    }),
  )
  await sql.run(text, ...values)
  await sql.run('update audit_trees set erasures = erasures + 1 where tenant = ?', tenant)
}

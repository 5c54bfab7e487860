import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { createAuditKey } from '../audit-key.ts'
import { type SignedHead, signHead } from '../signed-head.ts'
import type { Dice } from './dice.ts'
import { emptyRecord, forgeErasure, replayErasure } from './forged-erasures.ts'
import {
  dropGuards,
  freeNumber,
  insert,
  rebuild,
  recompute,
  recordsOf,
  restoreBackup,
  type StoredRecord,
  setColumn,
  shift,
} from './intruder.ts'
import { listCovered, type Place } from './place.ts'
import { type Scene, TENANTS, type Tenant } from './scene.ts'

/**
 * A tampering may need the app to continue; then it returns the heads that were anchored meanwhile.
 */
type Tampering = (place: Place) => void | Promise<readonly SignedHead[]>

function columnsOf(raw: DatabaseSync): readonly string[] {
  return raw
    .prepare("select name from pragma_table_info('audit_records')")
    .all()
    .map(({ name }) => String(name))
}

function other(tenant: Tenant): Tenant {
  return tenant === 'acme' ? 'globex' : 'acme'
}

const edit: Tampering = (place) => {
  const { raw, dice } = place
  const record = dice.pick(listCovered(place))
  const column = dice.pick(columnsOf(raw))
  dropGuards(raw)
  setColumn(raw, record.number, column, anotherValue(place, record, column))
}

function anotherValue(
  { raw, dice, tenant }: Place,
  record: StoredRecord,
  column: string,
): SQLInputValue {
  const value = record[column] ?? null
  if (column === 'number') return freeNumber(raw)
  if (column === 'tenant') return dice.pick([other(tenant), 'initech'])
  if (column === 'position')
    return dice.pick([null, -1 - dice.below(5), 1_000_000 + dice.below(5), record.position + 0.5])
  if (column === 'success') return dice.pick([0, 1, 2, 'yes'])
  if (typeof value === 'number')
    return dice.pick([value + 1, -value, value / 3, value + 1e-3, 'soon'])
  if (typeof value === 'string')
    return dice.pick([
      `${value}x`,
      `${value.slice(1)}`,
      '',
      value.toUpperCase(),
      new TextEncoder().encode(value),
      '李',
    ])
  return dice.pick([5, 'aud_00000001'])
}

const editOneOfWhatIsCommitted: Tampering = (place) => {
  const { raw, dice } = place
  const { number } = dice.pick(listCovered(place))
  const column = dice.pick([
    'principal',
    'error',
    'input_hash',
    'output_hash',
    'outcome',
    'tool_name',
    'code',
    'created_at',
  ])
  setColumn(raw, number, column, dice.pick(['eve', 'nothing', '']))
  recompute(raw, number)
}

const remove: Tampering = (place) => {
  const { raw, dice } = place
  const records = listCovered(place)
  const from = dice.below(records.length)
  for (const { number } of records.slice(from, from + dice.between(1, 3)))
    raw.prepare('delete from audit_records where number = ?').run(number)
  if (dice.below(2) === 0) closeRanks(place)
}

/** Assigns the remaining records positions without a gap and matching hashes. */
function closeRanks({ raw, tenant }: Place): void {
  dropGuards(raw)
  const records = recordsOf(raw, tenant)
  for (const [position, record] of records.entries())
    if (record.position !== position) setColumn(raw, record.number, 'position', position)
  rebuild(raw, tenant, 0)
}

const putIn: Tampering = (place) => {
  const { raw, dice, tenant } = place
  const like = dice.pick(listCovered(place))
  const made = { ...like, number: freeNumber(raw), id: 'aud_forged', principal: 'eve' }
  dropGuards(raw)
  if (dice.below(3) === 0)
    return insert(raw, 'audit_records', {
      ...made,
      position: dice.pick([-1, like.position, like.position + 0.5]),
    })
  shift(raw, recordsOf(raw, tenant, like.position), 1)
  insert(raw, 'audit_records', made)
  if (dice.below(2) === 0) rebuild(raw, tenant, like.position)
}

const reorder: Tampering = (place) => {
  const { raw, dice } = place
  const records = listCovered(place)
  const [one, two] = [dice.pick(records), dice.pick(records)]
  dropGuards(raw)
  setColumn(raw, one.number, 'position', two.position)
  setColumn(raw, two.number, 'position', one.position)
  if (dice.below(2) === 0) for (const { number } of [one, two]) recompute(raw, number)
}

const cutTail: Tampering = (place) => {
  const { raw, dice, tenant, anchored } = place
  const from = dice.below(anchored)
  raw
    .prepare('delete from audit_records where tenant = ? and (position >= ? or position is null)')
    .run(tenant, from)
  const keepHeads = dice.below(2) === 0
  if (!keepHeads)
    raw.prepare('delete from audit_heads where tenant = ? and size > ?').run(tenant, from)
  rebuild(raw, tenant, from)
}

/** Changes one record and recomputes everything after it, as our own code would. */
function rewrite(place: Place): { readonly size: number; readonly root: string } {
  const { raw, dice, tenant } = place
  const record = dice.pick(listCovered(place))
  const column = dice.pick([
    'outcome',
    'tool_name',
    'call_id',
    'error',
    'principal',
    'input_hash',
    'duration_ms',
    'actor',
  ])
  setColumn(
    raw,
    record.number,
    column,
    column === 'duration_ms' ? record.duration_ms + 1 : `${record[column]}x`,
  )
  return rebuild(raw, tenant, record.position)
}

const rewriteKeepingHeads: Tampering = (place) => void rewrite(place)

const rewriteDroppingHeads: Tampering = (place) => {
  rewrite(place)
  place.raw.prepare('delete from audit_heads where tenant = ?').run(place.tenant)
}

const rewriteSigningAnew: Tampering = (place) => {
  const { raw, dice, tenant, scene } = place
  const { size, root } = rewrite(place)
  const own = createAuditKey()
  const key = { ...own, id: dice.pick([own.id, scene.trust.publicKeys[0]?.id ?? '']) }
  raw.prepare('delete from audit_heads where tenant = ?').run(tenant)
  insert(raw, 'audit_heads', signHead({ tenant, size, root, signed_at: 1 }, key))
}

const rewriteTail: Tampering = (place) => {
  const { raw, dice, tenant, anchored } = place
  const from = dice.below(anchored)
  for (const { number } of recordsOf(raw, tenant, from)) setColumn(raw, number, 'principal', 'eve')
  for (const { number } of recordsOf(raw, tenant, from)) setColumn(raw, number, 'erasure', null)
  rebuild(raw, tenant, from)
  raw.prepare('delete from audit_heads where tenant = ? and size > ?').run(tenant, from)
}

const swapTenants: Tampering = (place) => {
  const { raw, dice, tenant } = place
  const tables = ['audit_records', 'audit_trees', 'audit_heads']
  const swap = (where: string) => {
    dropGuards(raw)
    for (const table of where === '' ? tables : ['audit_records']) {
      raw.exec(`update ${table} set tenant = 'nobody' where tenant = 'acme' ${where}`)
      raw.exec(`update ${table} set tenant = 'acme' where tenant = 'globex' ${where}`)
      raw.exec(`update ${table} set tenant = 'globex' where tenant = 'nobody'`)
    }
  }
  const position = dice.below(Math.min(place.scene.anchored.acme, place.scene.anchored.globex))
  swap(dice.pick(['', `and position = ${position}`, `and position >= ${position}`]))
  if (dice.below(2) === 0) for (const one of [tenant, other(tenant)]) rebuild(raw, one, 0)
}

const restore: Tampering = ({ raw, scene, dice, tenant }) => {
  restoreBackup(raw, scene.backup)
  if (dice.below(2) === 0) return
  // The app continues from there.
  const last = recordsOf(raw, tenant).at(-1)
  if (last === undefined) return
  for (let more = 1; more <= dice.between(1, 40); more++)
    insert(raw, 'audit_records', {
      ...last,
      number: freeNumber(raw),
      position: last.position + more,
      id: `aud_new_${more}`,
    })
  rebuild(raw, tenant, last.position)
}

const empty: Tampering = (place) => {
  const { raw, dice, tenant } = place
  const { number } = dice.pick(listCovered(place).filter(({ erasure }) => erasure === null))
  const stones = raw
    .prepare(
      "select id, created_at from audit_records where tenant = ? and tool_name = 'audit.erase'",
    )
    .all(tenant)
  const stone = stones.length > 0 ? dice.pick(stones) : { id: 'aud_none', created_at: 5 }
  emptyRecord(raw, number, { id: String(stone.id), at: Number(stone.created_at) })
}

export const TAMPERINGS: ReadonlyMap<string, Tampering> = new Map<string, Tampering>([
  ['edit any column', edit],
  ['edit and recompute its leaf', editOneOfWhatIsCommitted],
  ['delete', remove],
  ['insert', putIn],
  ['reorder', reorder],
  ['cut the tail', cutTail],
  ['rewrite the end, old heads kept', rewriteKeepingHeads],
  ['rewrite the end, heads dropped', rewriteDroppingHeads],
  ['rewrite the end, signed with another key', rewriteSigningAnew],
  ['replace the end', rewriteTail],
  ['swap tenants', swapTenants],
  ['restore an old backup', restore],
  ['empty without an erasure', empty],
  ['empty with a forged erasure', forgeErasure],
  ['replay an old tombstone on other places', replayErasure],
])

/**
 * Tampers with records under an anchored head of one tenant; returns the heads that the app has
 * anchored since.
 */
export async function tamper(
  kind: string,
  scene: Scene,
  dice: Dice,
): Promise<readonly SignedHead[]> {
  const tenant = dice.pick(TENANTS)
  return (
    (await TAMPERINGS.get(kind)?.({
      raw: scene.database.raw,
      dice,
      scene,
      tenant,
      anchored: scene.anchored[tenant],
    })) ?? []
  )
}

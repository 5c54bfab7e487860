import type { Row, SqlValue } from '@surehand/core/internal'
import { ToolError } from '@surehand/core/worker-entry'
import type { NOTES } from '../runs/forget-notes.ts'
import { boundTo, type Sealing, sealing } from '../sealing.ts'
import { defineStep, type Sql } from '../step.ts'
import type { AuditKey } from './audit-key.ts'
import { sealErasure } from './erasure-seal.ts'
import { extendTree, openTree } from './extend-tree.ts'
import type { GrowingTree } from './merkle.ts'
import { insertDatedRecord } from './record-row.ts'
import { sealWith } from './record-seal.ts'
import { segmentsByCall } from './segments/find-segments.ts'
import { rowsIn } from './segments/segment.ts'
import { splitSegments } from './segments/split-segments.ts'
import { erasedPlaces, tombstoneRecord } from './tombstone.ts'

export type EraseRequest = {
  readonly tenant: string
  /** The person to erase. */
  readonly principal: string
  /** The administrator who requests the erasure. */
  readonly by: string
  readonly actor: string
  /** The id of the tombstone. */
  readonly id: string
  /**
   * The person does not come back: the name is replaced everywhere, also where it kept a repeated
   * idempotency key from being executed again. For a person none of whose calls is under way.
   */
  readonly forget?: boolean
}

export type Erased = {
  /** Undefined when there was nothing left to erase. */
  readonly tombstone: string | undefined
  readonly records: number
  readonly calls: number
  /**
   * Approval requests of the person that were emptied, and those of others from which the person's
   * name was removed as decider, answerer or editor.
   */
  readonly approvals: number
  readonly evidence: number
  /**
   * Calls that have not ended, of the person or with the person's evidence: they keep the data they
   * need. Erase again when they have ended.
   */
  readonly underWay: readonly string[]
  /**
   * Requests that keep their content or the editor's name, because they may still be decided or are
   * a denial that still applies.
   */
  readonly kept: readonly string[]
}

/**
 * The keys are passed in with each request because none is in the database: one signs the
 * tombstone, the others decrypt stored values.
 */
export type EraseOrder = EraseRequest & {
  readonly key: AuditKey
  readonly secretKeys?: readonly Uint8Array[]
  readonly sealKey?: Uint8Array | undefined
}

const PLANT = `insert into audit_trees (tenant, size, frontier, holder, fence, lease_until, head_size, anchored_size, erasures)
  values (?, 0, '', '', 0, 0, 0, 0, 0) on conflict do nothing`
const LOCK = 'select size, frontier, {now} as read_at from audit_trees where tenant = ? {lock}'
const AT_ONCE = 1_000

/** The states in which nothing of a call's content is needed any more. */
export const ENDED = "('succeeded', 'failed', 'cancelled', 'released', 'pruned')"
// Key and principal stay for as long as the key is kept: without them a repetition would execute
// the call again.
const ERASE_CALLS = `update calls set state = case when state in ('succeeded', 'failed') then 'pruned' else state end,
    input = '', input_hash = '', answer = null, caller = '{}', scopes = '{}', provider_key = '', request_id = '',
    effect_args_hash = case when effect_args_hash is null then null else '' end
  where tenant = ? and principal = ? and state in ${ENDED}
    and (input <> '' or input_hash <> '' or answer is not null or caller <> '{}' or scopes <> '{}' or provider_key <> '' or request_id <> '')`
const ERASE_EVIDENCE = `update evidence set text = '' where text <> '' and tenant = ?
  and call_id in (select call_id from calls where tenant = ? and principal = ? and state in ${ENDED})`
// A request that may still be decided and a denial that still applies keep their content; an
// approval without a call to use it does not.
const UNDELEGATED = 'delegate = null, delegated_by = null, delegated_at = null'
const FULL =
  "(input_hash <> '' or asks <> '' or shown <> '{}' or digest <> '' or edited_by is not null or decision is not null or delegate is not null)"
const ERASE_APPROVALS = `update approvals set input_hash = '', asks = '', shown = '{}', digest = '', edited_by = null, decision = null, ${UNDELEGATED}
  where tenant = ? and principal = ? and (state in ('approved', 'expired', 'used', 'replaced') or expires_at <= {now})
    and not exists (select 1 from calls c where c.call_id = approvals.call_id and c.state not in ${ENDED}) and ${FULL}`
// A run's answers, questions and progress belong to the person whose call it is.
const OF_ENDED = `tenant = ? and call_id in (select call_id from calls where tenant = ? and principal = ? and state in ${ENDED})`
// Traces only explain: those of calls that are under way go as well.
const FORGET_TRACES = 'delete from call_traces where tenant = ? and principal = ?'
const KEPT = `select id from approvals where tenant = ? and principal = ? and ${FULL}`
const UNDER_WAY = `select call_id from calls where tenant = ? and principal = ? and state not in ${ENDED} order by call_id`

// Only records that have a position; records written meanwhile are erased when the erasure is
// repeated.
// A change of the person's own record and a delegation to them were made by another person, and name
// the person as their text.
const THEIRS = `tenant = ? and (principal = ? or ((phase = 'change' and tool_name = 'principal' or outcome = 'delegated') and error = cast(? as text)))
  and erasure is null and position is not null`
const PLACES = `select position from audit_records where ${THEIRS} order by position`
const ERASE_RECORDS = `update audit_records set principal = '', error = '', input_hash = '', output_hash = '', salt = '',
  erased_at = ?, erasure = ? where ${THEIRS}`

/**
 * Erases a person: payload, salt and plain hashes are removed, the leaves stay, and a tombstone
 * records it. One transaction, idempotent.
 */
export const eraseStep = defineStep(
  'audit.erase',
  { mode: 'durable', statements: 'many' },
  async (sql: Sql, order: EraseOrder): Promise<Erased> => {
    const { tenant, principal, id, forget = false } = order
    const theirs = [tenant, principal, forget ? principal : null] as const
    await sql.run(PLANT, tenant)
    const locked = await sql.get(LOCK, tenant)
    const at = Number(locked?.read_at)
    const tree = openTree({
      tenant,
      size: Number(locked?.size),
      frontier: String(locked?.frontier),
    })
    // A record must have its leaf before it is emptied; otherwise the leaf would claim that it was
    // always empty.
    await placeAll(sql, tree, tenant)
    await splitSegments(sql, order)
    const places = (await sql.all(PLACES, ...theirs)).map(({ position }) => Number(position))
    const { underWay, kept, ...emptied } = await emptyRows(sql, order)
    if (forget) await forgetName(sql, order)
    await sql.run(FORGET_TRACES, tenant, principal)
    const counted = { records: places.length, ...emptied }
    if (Object.values(counted).every((count) => count === 0))
      return { tombstone: undefined, ...counted, underWay, kept }
    await sql.run(ERASE_RECORDS, at, id, ...theirs)
    await bury(sql, order, at, places)
    await placeAll(sql, tree, tenant)
    return { tombstone: id, ...counted, underWay, kept }
  },
)

async function placeAll(sql: Sql, tree: GrowingTree, tenant: string): Promise<void> {
  while ((await extendTree(sql, tree, tenant, AT_ONCE)) === AT_ONCE);
}

/** The person's own calls and requests, and the person's statements about those of others. */
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

const FORGET = [
  `update calls set principal = ?, key = call_id where tenant = ? and principal = ? and state in ${ENDED}`,
  `update approvals set principal = ?, input_hash = '', asks = '', shown = '{}', digest = '', edited_by = null, decision = null, ${UNDELEGATED}
    where tenant = ? and principal = ? and not exists (select 1 from calls c where c.call_id = approvals.call_id and c.state not in ${ENDED})`,
  "update admin_items set id = ? where tenant = ? and kind in ('principal', 'notification') and id = ? and value is null",
]

/** The name becomes that of the tombstone, which says who erased it and when. */
async function forgetName(sql: Sql, { tenant, principal, id }: EraseOrder): Promise<void> {
  for (const statement of FORGET) await sql.run(statement, `forgotten:${id}`, tenant, principal)
}

/** How many of them were approval requests. */
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
  const { id, tenant, principal, by, actor, key, sealKey } = order
  // Two tombstones with one id could not be told apart, and the audit would be reported as broken.
  const used = await sql.get(
    'select 1 as found from audit_records where call_id = ? and tenant = ?',
    id,
    tenant,
  )
  const others = (await segmentsByCall(sql, tenant, id)).flatMap(rowsIn)
  if (used !== undefined || others.some(({ call_id }) => call_id === id))
    throw new ToolError(
      'TOOL_INVALID_INPUT',
      `There is a record with the id ${id} already: an erasure has an id of its own.`,
    )
  const erased = erasedPlaces()
  for (const position of places) erased.add(position)
  const outcome = erased.outcome()
  const seal = sealErasure({ tenant, id, at, outcome }, key)
  // People who erase themselves must not be named on their own tombstone.
  const record = tombstoneRecord({
    id,
    tenant,
    by: by === principal ? 'the person' : by,
    actor,
    at,
    outcome,
    seal,
  })
  const { text, values } = insertDatedRecord(
    sealKey === undefined ? record : { ...record, seal: sealWith(sealKey)(record) },
  )
  await sql.run(text, ...values)
  await sql.run('update audit_trees set erasures = erasures + 1 where tenant = ?', tenant)
}

/**
 * A person's statements about other people's calls: as decider, as answerer, as editor, as witness.
 */
export type ErasedWord = {
  readonly approvals: number
  readonly evidence: number
  readonly underWay: readonly string[]
  readonly kept: readonly string[]
}

const DECIDED =
  "select number, decision from approvals where tenant = ? and decision like ? escape '!' order by number {lock}"
const ANSWERED =
  "select number, answer from questions where tenant = ? and answer like ? escape '!' order by number {lock}"
const EDITED = `select number, id, shown, state = 'pending' and expires_at > {now} as is_open from approvals
  where tenant = ? and edited_by = ? order by number {lock}`
const WITNESSED = `select number, text, call_id, exists (select 1 from calls c where c.call_id = evidence.call_id and c.state = 'unknown')
    as is_open from evidence where tenant = ? and what = 'person' and text <> '' order by number`

/** The person to erase, and the keys that decrypt evidence. */
export type Forgotten = {
  readonly tenant: string
  readonly principal: string
  readonly secrets: Pick<Sealing, 'open'>
}

type Word = {
  readonly by: string
  readonly reason?: string
  readonly text?: string
  readonly decider?: unknown
}

/**
 * Removes a person's name and texts from decisions, edits and evidence on rows of others. The
 * decision stays, with its time and credential. The editor of an open request and the witness of an
 * unknown call stay: without the name they could pass as the second person.
 */
async function eraseWord(sql: Sql, forgotten: Forgotten): Promise<ErasedWord> {
  const [decided, delegated, answered, edited, witnessed] = [
    await eraseDecisions(sql, forgotten),
    await eraseDelegations(sql, forgotten),
    await eraseAnswers(sql, forgotten),
    await eraseEdits(sql, forgotten),
    await eraseWitness(sql, forgotten),
  ]
  return {
    approvals: decided + delegated + answered + edited.erased,
    evidence: witnessed.erased,
    kept: edited.kept,
    underWay: witnessed.kept,
  }
}

async function eraseDecisions(sql: Sql, { tenant, principal }: Forgotten): Promise<number> {
  let erased = 0
  for (const row of await sql.all(DECIDED, tenant, mentionOf(principal))) {
    const { reason: _, decider: __, ...decision } = wordOf(row.decision)
    if (decision.by !== principal) continue
    await sql.run(
      'update approvals set decision = ? where number = ?',
      JSON.stringify({ ...decision, by: '' }),
      Number(row.number),
    )
    erased++
  }
  return erased
}

function eraseDelegations(sql: Sql, { tenant, principal }: Forgotten): Promise<number> {
  return sql.run(
    `update approvals set ${UNDELEGATED} where tenant = ? and (delegate = ? or delegated_by = ?)`,
    tenant,
    principal,
    principal,
  )
}

// The answer itself stays with the run that has used it.
async function eraseAnswers(sql: Sql, { tenant, principal }: Forgotten): Promise<number> {
  const theirs = (await sql.all(ANSWERED, tenant, mentionOf(principal))).filter(
    (row) => wordOf(row.answer).by === principal,
  )
  for (const row of theirs)
    await sql.run(
      'update questions set answer = ? where number = ?',
      JSON.stringify({ ...wordOf(row.answer), by: '' }),
      Number(row.number),
    )
  return theirs.length
}

type Part = { readonly erased: number; readonly kept: readonly string[] }

async function eraseEdits(sql: Sql, { tenant, principal }: Forgotten): Promise<Part> {
  const rows = await sql.all(EDITED, tenant, principal)
  const closed = rows.filter(({ is_open }) => is_open !== 1)
  for (const { number, shown } of closed)
    await sql.run(
      "update approvals set edited_by = '', shown = ? where number = ?",
      withoutEditor(String(shown)),
      Number(number),
    )
  return {
    erased: closed.length,
    kept: rows.filter(({ is_open }) => is_open === 1).map(({ id }) => String(id)),
  }
}

async function eraseWitness(sql: Sql, { tenant, principal, secrets }: Forgotten): Promise<Part> {
  const openedOf = ({ text, call_id }: Row): string =>
    secrets.open(String(text), boundTo({ tenant, callId: String(call_id) }))
  const rows = (await sql.all(WITNESSED, tenant)).filter(
    (row) => wordOf(openedOf(row)).by === principal,
  )
  const closed = rows.filter(({ is_open }) => is_open !== 1)
  for (const { number } of closed)
    await sql.run(
      'update evidence set text = ? where number = ?',
      JSON.stringify({ by: '', text: '' }),
      Number(number),
    )
  return {
    erased: closed.length,
    kept: rows.filter(({ is_open }) => is_open === 1).map(({ call_id }) => String(call_id)),
  }
}

// The name in JSON notation. SQLite's LIKE ignores the case, so every match is checked again.
function mentionOf(principal: string): string {
  return `%${`"by":${JSON.stringify(principal)}`.replace(/[!%_]/g, '!$&')}%`
}

// Evidence may be any text; a text that is not JSON names no one.
function wordOf(json: SqlValue | undefined): Word {
  try {
    return JSON.parse(String(json)) as Word
  } catch {
    return { by: '' }
  }
}

function withoutEditor(shown: string): string {
  const seen = JSON.parse(shown) as Record<string, unknown>
  return 'edited_by' in seen ? JSON.stringify({ ...seen, edited_by: '' }) : shown
}

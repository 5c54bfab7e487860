import type { Row } from '@surehand/core/internal'
import type { AuditRecord } from '@surehand/core/ports'
import type { Database } from '../database.ts'
import { defineStep, type Sql } from '../step.ts'
import type { Flaw } from './flaw.ts'
import type { SealedLeaves } from './leaf.ts'
import { RECORD_COLUMNS, recordOf } from './record-row.ts'
import { isLeafSeal, leafSealer, sealOfStart, sealWith, segmentSealer } from './record-seal.ts'

const START = 'select number, records, seal from audit_seal_start where id = 1'
const PRESENT = `select coalesce(max(number), 0) as number, coalesce(sum(records), 0) as records from (
  select max(number) as number, count(*) as records from audit_records
  union all select max(first_number + count - 1), sum(count) from audit_segments) present`
const SEALED = `select 1 as found where exists (select 1 from audit_records where seal is not null)
  or exists (select 1 from audit_segments where seal is not null)`
const INSERT =
  'insert into audit_seal_start (id, number, records, seal) values (1, ?, ?, ?) on conflict do nothing'

/** Where records begin to be sealed. */
export type SealStart = {
  readonly number: number
  readonly records: number
  readonly seal: string
}

export const readSealStart = defineStep(
  'audit.seal-start',
  { mode: 'read', statements: 'one' },
  async (sql: Sql, _: null): Promise<SealStart | undefined> => {
    const row = await sql.get(START)
    return (
      row && { number: Number(row.number), records: Number(row.records), seal: String(row.seal) }
    )
  },
)

/**
 * Marks the records that are there as older than the seals. Never a second time: where a sealed
 * record exists, a missing mark was removed.
 */
export const startSeals = defineStep(
  'audit.start-seals',
  { mode: 'durable', statements: 'many' },
  async (sql: Sql, { key }: { readonly key: Uint8Array }): Promise<void> => {
    if ((await sql.get(SEALED)) !== undefined) return
    const present = await sql.get(PRESENT)
    const [number, records] = [Number(present?.number), Number(present?.records)]
    await sql.run(INSERT, number, records, sealOfStart(key, number, records))
  },
)

/** A stored record as the check needs it. */
export type CheckedRecord = Omit<AuditRecord, 'success'> & {
  readonly number: number
  readonly success: number
  readonly seal: string | null
  readonly erasure: string | null
  /** Null where it has no place in the tree. */
  readonly leaf: string | null
  readonly segment?: SealedLeaves
}

export type SealCheck = {
  /** The flaw of a record, if it has one. */
  readonly record: (record: CheckedRecord, position: number) => Flaw | undefined
  /** How many records were older than the seals. */
  readonly unsealed: () => number
}

/**
 * Checks that this installation wrote every record. An erased record is proven by the signature of
 * its tombstone instead.
 */
export function sealCheck(key: Uint8Array, start: SealStart): SealCheck {
  const sealOfRecord = sealWith(key)
  const sealOfLeaf = leafSealer(key)
  const isSealed = segmentCheck(key)
  const isOurs = (record: CheckedRecord): boolean => {
    if (record.segment !== undefined) return isSealed(record.segment)
    return isLeafSeal(record.seal)
      ? record.leaf !== null && record.seal === sealOfLeaf(record.leaf)
      : record.seal === sealOfRecord(toRecord(record))
  }
  let unsealed = 0
  return {
    record(record, position) {
      const isOld = record.seal === null && record.number <= start.number
      if (isOld) unsealed++
      if (isOld || record.erasure !== null || isOurs(record)) return undefined
      const what = `Record ${position} was not written by a call of this installation: its seal is ${record.seal === null ? 'missing' : 'wrong'}.`
      return { position, id: record.id, what }
    },
    unsealed: () => unsealed,
  }
}

/** Whether this installation sealed the leaves of a segment; asked for each of its records in turn. */
function segmentCheck(key: Uint8Array): (segment: SealedLeaves) => boolean {
  const sealOf = segmentSealer(key)
  let last: { readonly segment: SealedLeaves; readonly isSealed: boolean } | undefined
  return (segment) => {
    if (last?.segment !== segment)
      last = { segment, isSealed: segment.seal === sealOf(segment.leaves, segment.count) }
    return last.isSealed
  }
}

function toRecord(record: CheckedRecord): AuditRecord {
  return recordOf(record as unknown as Row)
}

const COUNT_OLD = `select (select count(*) from audit_records where number <= ?)
  + (select coalesce(sum(count), 0) from audit_segments where first_number <= ?) as records`

/** What is wrong with the mark, if anything: it must be ours, and nothing may be put in below it. */
export async function findStartFlaw(
  database: Pick<Database, 'step'>,
  key: Uint8Array,
  start: SealStart | undefined,
): Promise<string | undefined> {
  if (start === undefined)
    return 'The mark that says from which record on there are seals is missing.'
  if (start.seal !== sealOfStart(key, start.number, start.records))
    return 'The mark that says from which record on there are seals was changed.'
  const records = await database.step(countOldRecords, { number: start.number })
  return records === start.records
    ? undefined
    : `There were ${start.records} records when sealing began, and now ${records} have such numbers.`
}

export const countOldRecords = defineStep(
  'audit.count-old',
  { mode: 'read', statements: 'one' },
  async (sql: Sql, { number }: { readonly number: number }): Promise<number> =>
    Number((await sql.get(COUNT_OLD, number, number))?.records),
)

const UNSEQUENCED = `select number, seal, erasure, null as leaf, ${RECORD_COLUMNS} from audit_records
  where tenant = ? and position is null and number > ? order by number limit 1000`

/** The next records without a place in the tree. */
export const readUnsequenced = defineStep(
  'audit.unsequenced',
  { mode: 'read', statements: 'one' },
  async (
    sql: Sql,
    { tenant, after }: { readonly tenant: string; readonly after: number },
  ): Promise<readonly CheckedRecord[]> =>
    // erased: the row was written by our code, or by an intruder, whom the check detects
    (await sql.all(UNSEQUENCED, tenant, after)) as unknown as readonly CheckedRecord[],
)

// A sealed record that was copied is the same one twice.
const REPEATED =
  'select id from audit_records where tenant = ? group by id having count(*) > 1 limit 1'
// The outcome was written in the transaction that ended the call.
const UNRECORDED = `select call_id from calls where tenant = ? and state in ('succeeded', 'failed') and not exists (
  select 1 from audit_records where audit_records.call_id = calls.call_id and audit_records.tenant = calls.tenant
    and phase in ('outcome', 'decision')) limit 1`

/** Ids of a record that exists twice, and of an ended call without a record. */
export const findLedgerFlaw = defineStep(
  'audit.ledger-flaw',
  { mode: 'read', statements: 'many' },
  async (sql: Sql, { tenant }: { readonly tenant: string }): Promise<string | undefined> => {
    const repeated = await sql.get(REPEATED, tenant)
    if (repeated !== undefined) return `The record ${repeated.id} is there twice: one was copied.`
    const unrecorded = await sql.get(UNRECORDED, tenant)
    return unrecorded === undefined
      ? undefined
      : `The call ${unrecorded.call_id} has ended in the ledger, and no record says so.`
  },
)

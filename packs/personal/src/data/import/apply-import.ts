import { defineTransaction, ToolError, type Tx } from '@surehand/core'
import type { SqlValue } from '@surehand/core/internal'
import { atTime } from '@surehand/dates'
import { toNote } from '../../knowledge/note.ts'
import { findFreePath, storeNote } from '../../knowledge/store-note.ts'
import { firstValidZone } from '../../local-time.ts'
import { nameKey } from '../../name-key.ts'
import type { Person } from '../../person.ts'
import { PREFERENCES } from '../../system/preferences.ts'
import { dueKey, dueOn } from '../../task/due.ts'
import { FAMILIES, type Family, tableOf } from '../families.ts'
import type { ImportItem, ImportProblem, ReadItems } from './import-item.ts'
import { createReferences, type References } from './references.ts'

type Importing = Person & {
  readonly now: number
  /** The time zone of the credential. */
  readonly zone?: string
  readonly mode: 'preview' | 'apply'
  readonly usualMost: number
  readonly items: readonly ImportItem[]
  readonly problems: readonly ImportProblem[]
}

type ItemResult =
  | { readonly kind: 'added' }
  | { readonly kind: 'duplicate'; readonly of?: string }
  | { readonly kind: 'refused'; readonly problem: string }
type Work = {
  readonly tx: Tx
  readonly args: Importing
  /** The zone of times that name none. */
  readonly zone: string
  readonly references: References
  readonly seen: Set<string>
  readonly records: ImportRow[]
}

const MOST_LISTED = 50
const MOST = "select value from pm_system where tenant = ? and name = 'import_max_items'"
const ZONE =
  "select value from pm_preferences where tenant = ? and owner = ? and name = 'time_zone'"
const SELECT_TENANT_ZONE =
  "select value from pm_system where tenant = ? and name = 'default_time_zone'"

/**
 * Imports each row on its own: duplicates and invalid rows are reported and left out. A preview
 * writes nothing.
 */
export const importRows = defineTransaction('data.import', async (tx, args: Importing) => {
  const most = Number((await tx.get(MOST, args.tenant))?.value ?? args.usualMost)
  if (args.items.length > most)
    throw new ToolError(
      'TOOL_INPUT_TOO_LARGE',
      `${args.items.length} items exceed the limit of ${most} per import. Split the file.`,
    )
  const own = (await tx.get(ZONE, args.tenant, args.owner))?.value
  const zone = firstValidZone(
    own,
    args.zone,
    (await tx.get(SELECT_TENANT_ZONE, args.tenant))?.value,
  )
  const work: Work = {
    tx,
    args,
    zone,
    references: createReferences(tx, args),
    seen: new Set(),
    records: [],
  }
  const given = await refuseInvalidWorkingDay(tx, args, args)
  const added: Partial<Record<Family, number>> = {}
  const duplicates: ImportProblem[] = []
  const problems = [...given.problems]
  for (const item of inOrder(given.items)) {
    const fate = await importItem(work, item)
    if (fate.kind === 'added') added[item.family] = (added[item.family] ?? 0) + 1
    else if (fate.kind === 'duplicate')
      duplicates.push({
        place: item.place,
        problem: `exists already${fate.of === undefined ? '' : `: "${fate.of}"`}`,
      })
    else problems.push({ place: item.place, problem: fate.problem })
  }
  await recountHabits(tx, args.tenant, work.records)
  return {
    applied: args.mode === 'apply',
    added: Object.fromEntries(Object.entries(added)),
    added_total: Object.values(added).reduce((sum, count) => sum + count, 0),
    duplicates_total: duplicates.length,
    duplicates: duplicates.slice(0, MOST_LISTED),
    problems_total: problems.length,
    problems: problems.slice(0, MOST_LISTED),
  }
})

function inOrder(items: readonly ImportItem[]): readonly ImportItem[] {
  return items.toSorted(
    (one, other) => FAMILIES.indexOf(one.family) - FAMILIES.indexOf(other.family),
  )
}

async function importItem(work: Work, item: ImportItem): Promise<ItemResult> {
  const pointed = await work.references.resolve(item)
  if ('problem' in pointed) return { kind: 'refused', problem: pointed.problem }
  const row = deriveColumns(pointed.row, item.family, work.zone)
  const twin = await work.references.findTwin(item, row)
  if (twin !== undefined) {
    if (twin.id !== undefined) work.references.learn(item, twin.id)
    return { kind: 'duplicate', ...(twin.name === undefined ? {} : { of: twin.name }) }
  }
  const place = await work.references.findPlace(item.family, row)
  const isTwice = keysOf(item, place.row).some((key) => work.seen.has(key))
  if (place.kind === 'theirs' || isTwice) {
    if (place.row.id !== undefined) work.references.learn(item, String(place.row.id))
    return { kind: 'duplicate' }
  }
  for (const key of keysOf(item, place.row)) work.seen.add(key)
  if (place.row.id !== undefined) work.references.learn(item, String(place.row.id))
  if (work.args.mode === 'preview') return { kind: 'added' }
  await insertRow(work, item.family, place.row)
  if (item.family === 'habit_records') work.records.push(place.row)
  return { kind: 'added' }
}

type ImportRow = Readonly<Record<string, SqlValue>>

/** The keys by which two rows of one file are recognised as duplicates. */
function keysOf({ family, knownBy }: ImportItem, row: ImportRow): readonly string[] {
  const ids = tableOf(family).key.map((column) => row[column] ?? '')
  const key = JSON.stringify([family, 'key', ...ids])
  const name = nameIn(family, knownBy, row)
  return name === undefined ? [key] : [key, JSON.stringify([family, 'name', ...name])]
}

// The name under which only one row may exist.
function nameIn(
  family: Family,
  knownBy: ImportItem['knownBy'],
  row: ImportRow,
): readonly (SqlValue | undefined)[] | undefined {
  switch (family) {
    case 'habits':
      return row.state === 'active' ? [row.name_key] : undefined
    case 'projects':
      return row.state === 'deleted' ? undefined : [row.name_key]
    case 'tasks':
      return knownBy === 'name' ? [row.title_key, row.due_key] : undefined
    case 'deep_work':
      return row.stopped_at == null ? ['running'] : undefined
    default:
      return undefined
  }
}

function deriveColumns(row: ImportRow, family: Family, zone: string): ImportRow {
  switch (family) {
    case 'habits':
      return { ...row, name_key: nameKey(String(row.name)) }
    case 'projects': {
      const searched = [row.name, row.phase, row.description, row.path].filter(Boolean).join(' ')
      return { ...row, name_key: nameKey(String(row.name)), search_key: nameKey(searched) }
    }
    case 'tasks':
      return { ...row, title_key: nameKey(String(row.title)), ...dueColumns(row, zone) }
    default:
      return row
  }
}

function dueColumns({ due_day, due_time, due_zone }: ImportRow, zone: string): ImportRow {
  if (typeof due_day !== 'string')
    return {
      due_day: null,
      due_time: null,
      due_zone: null,
      due_at: null,
      due_key: dueKey(undefined),
    }
  if (typeof due_time !== 'string')
    return { due_time: null, due_zone: null, due_at: null, due_key: dueKey({ day: due_day }) }
  const where = typeof due_zone === 'string' ? due_zone : zone
  return {
    due_zone: where,
    due_at: atTime(due_day, due_time, where),
    due_key: dueKey(dueOn(due_day, due_time, where)),
  }
}

async function insertRow({ tx, args }: Work, family: Family, row: ImportRow): Promise<void> {
  if (family === 'notes') return writeNote(tx, args, row)
  const owned = tableOf(family).columns.some(({ name }) => name === 'owner')
  const whole: ImportRow = { ...row, tenant: args.tenant, ...(owned ? { owner: args.owner } : {}) }
  const columns = Object.keys(whole)
  const values = columns.map((column) => whole[column] ?? null)
  await tx.run(
    `insert into ${tableOf(family).name} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    ...values,
  )
}

// A deleted note is imported as deleted, even when another note has its path by now.
async function writeNote(tx: Tx, args: Importing, row: ImportRow): Promise<void> {
  const when = {
    now: args.now,
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
  }
  const kept = { id: String(row.id), note: toNote(row), ...when }
  if (row.deleted_at == null)
    await storeNote(tx, args, { ...kept, path: await findFreePath(tx, args, String(row.path)) })
  else
    await storeNote(tx, args, {
      ...kept,
      path: String(row.path),
      deletedAt: Number(row.deleted_at),
    })
}

// The stored run lacks the imported days; without one it is counted again when it is next read.
const RECOUNT = `update pm_habits set run_length = null, started_on = case when started_on > ? then ? else started_on end
  where tenant = ? and id = ?`

/** Resets the streaks and start days of the habits whose records were imported. */
async function recountHabits(
  tx: Tx,
  tenant: string,
  records: readonly Readonly<Record<string, SqlValue>>[],
): Promise<void> {
  const byHabit = Map.groupBy(records, ({ habit_id }) => String(habit_id))
  for (const [id, days] of byHabit) {
    const first = days.map(({ day }) => String(day)).toSorted()[0] ?? ''
    await tx.run(RECOUNT, first, first, tenant, id)
  }
}

const SELECT_WORKING_DAY =
  "select name, value from pm_preferences where tenant = ? and owner = ? and name in ('work_start', 'work_end')"

/**
 * Removes preferences that would make the working day end before it begins. Stored preferences are
 * kept, so they are applied on top of the imported ones.
 */
async function refuseInvalidWorkingDay(
  tx: Tx,
  { tenant, owner }: Person,
  { items, problems }: ReadItems,
): Promise<ReadItems> {
  const hours = items.filter(isHour)
  if (hours.length === 0) return { items, problems }
  const stored = (await tx.all(SELECT_WORKING_DAY, tenant, owner)).map(({ name, value }) => [
    String(name),
    String(value),
  ])
  const imported = hours.map(({ row }) => [String(row.name), String(row.value)])
  const { work_start = PREFERENCES.work_start.initial, work_end = PREFERENCES.work_end.initial } =
    Object.fromEntries([...imported, ...stored])
  if (work_start < work_end) return { items, problems }
  const problem = `a working day from ${work_start} to ${work_end} ends before it begins`
  return {
    items: items.filter((item) => !isHour(item)),
    problems: [...problems, ...hours.map(({ place }) => ({ place, problem }))],
  }
}

function isHour({ family, row }: ImportItem): boolean {
  return family === 'preferences' && (row.name === 'work_start' || row.name === 'work_end')
}

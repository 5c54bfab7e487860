import type { Tx } from '@surehand/core'
import type { SqlValue } from '@surehand/core/internal'
import { type Day, dayOf } from '@surehand/dates'
import type { Person } from '../person.ts'
import { countRun, type Habit } from './habit.ts'
import { extendRun, type Run } from './streak.ts'

/** A day on which a habit was done. */
type DayRecord = {
  readonly day: Day
  /** The time zone of the person on that day. */
  readonly zone: string
  readonly quality?: number | undefined
  readonly minutes?: number | undefined
  readonly note?: string | undefined
  readonly recordedAt: number
}

export type StoredRecord = {
  readonly day: Day
  readonly quality: number | null
  readonly minutes: number | null
  readonly note: string | null
}

const SELECT =
  'select day, quality, minutes, note from pm_habit_records where tenant = ? and habit_id = ? and day = ?'
const INSERT = `insert into pm_habit_records (tenant, habit_id, owner, day, zone, quality, minutes, note, recorded_at)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?)`
// A field that is not given again keeps its value.
const UPDATE = `update pm_habit_records set quality = ?, minutes = ?, note = ? where tenant = ? and habit_id = ? and day = ?`
const DELETE = 'delete from pm_habit_records where tenant = ? and habit_id = ? and day = ?'
const KEEP_RUN = `update pm_habits set last_day = ?, last_zone = ?, run_length = ?, run_best = ?,
  started_on = case when started_on > ? then ? else started_on end where tenant = ? and id = ?`

/**
 * Records a day, or adds to its record, and updates the stored run of the habit. Every write of
 * records uses this function.
 * The row of the habit must be locked with `lockHabit`: two concurrent writes would each extend a
 * run that lacks the other's record.
 */
export async function recordDay(
  tx: Tx,
  { person, habit }: { readonly person: Person; readonly habit: Habit },
  record: DayRecord,
): Promise<{ readonly kept: StoredRecord; readonly run: Run; readonly wasThere: boolean }> {
  const { tenant, owner } = person
  const { day, zone, recordedAt } = record
  const before = toStoredRecord(await tx.get(SELECT, tenant, habit.id, day))
  const kept = {
    day,
    quality: record.quality ?? before?.quality ?? null,
    minutes: record.minutes ?? before?.minutes ?? null,
    note: record.note ?? before?.note ?? null,
  }
  if (before !== undefined) {
    await tx.run(UPDATE, kept.quality, kept.minutes, kept.note, tenant, habit.id, day)
    return { kept, run: await currentRun(tx, tenant, habit), wasThere: true }
  }
  await tx.run(
    INSERT,
    tenant,
    habit.id,
    owner,
    day,
    zone,
    kept.quality,
    kept.minutes,
    kept.note,
    recordedAt,
  )
  const isLatest =
    habit.run !== undefined && (habit.run.last === undefined || habit.run.last.day < day)
  const run = isLatest
    ? extendRun(habit.run, { day, zone }, habit.frequency)
    : await countRun(tx.all, tenant, habit)
  await storeRun(tx, tenant, { id: habit.id, run, since: day })
  return { kept, run, wasThere: false }
}

const SELECT_FIRST =
  'select min(day) as day from pm_habit_records where tenant = ? and habit_id = ?'
const BEGIN = 'update pm_habits set started_on = ? where tenant = ? and id = ?'

/** Deletes the record of a day; `wasThere` is false when there was none. */
export async function deleteDay(
  tx: Tx,
  { person: { tenant }, habit }: { readonly person: Person; readonly habit: Habit },
  { day, zone }: { readonly day: Day; readonly zone: string },
): Promise<{ readonly run: Run; readonly wasThere: boolean }> {
  const { changes } = await tx.run(DELETE, tenant, habit.id, day)
  if (changes === 0) return { run: await currentRun(tx, tenant, habit), wasThere: false }
  const run = await recountRun(tx, tenant, habit)
  // A day that was recorded by mistake may have moved the start day back, and every day since would
  // count as missed.
  if (day === habit.startedOn)
    await tx.run(BEGIN, await findStartDay(tx, tenant, { habit, zone }), tenant, habit.id)
  return { run, wasThere: true }
}

async function findStartDay(
  tx: Tx,
  tenant: string,
  { habit, zone }: { readonly habit: Habit; readonly zone: string },
): Promise<Day> {
  const first = (await tx.get(SELECT_FIRST, tenant, habit.id))?.day
  const made = dayOf(habit.createdAt, zone)
  return typeof first === 'string' && first < made ? first : made
}

/**
 * Counts the run of a habit from all records and stores it: after an import, or after a change of
 * the frequency.
 */
export async function recountRun(
  tx: Tx,
  tenant: string,
  habit: Pick<Habit, 'id' | 'frequency' | 'startedOn'>,
): Promise<Run> {
  const run = await countRun(tx.all, tenant, habit)
  await storeRun(tx, tenant, { id: habit.id, run, since: habit.startedOn })
  return run
}

async function currentRun(tx: Tx, tenant: string, habit: Habit): Promise<Run> {
  return habit.run ?? recountRun(tx, tenant, habit)
}

async function storeRun(
  tx: Tx,
  tenant: string,
  { id, run, since }: { readonly id: string; readonly run: Run; readonly since: Day },
): Promise<void> {
  const { last, length, best } = run
  await tx.run(
    KEEP_RUN,
    last?.day ?? null,
    last?.zone ?? null,
    length,
    best,
    since,
    since,
    tenant,
    id,
  )
}

function toStoredRecord(
  row: Readonly<Record<string, SqlValue>> | undefined,
): StoredRecord | undefined {
  if (row === undefined) return undefined
  const number = (value: SqlValue | undefined) => (value == null ? null : Number(value))
  return {
    day: String(row.day),
    quality: number(row.quality),
    minutes: number(row.minutes),
    note: row.note as string | null,
  }
}

import { addDays, type Day } from '@surehand/dates'
import type { Person } from '../../person.ts'
import type { Reader } from '../../personal-data.ts'

/** A day on which a habit was done, with the columns that patterns are computed from. */
export type DoneDay = {
  readonly day: Day
  readonly zone: string
  readonly recordedAt: number
  readonly quality: number | null
}

const COLUMNS = 'habit_id, day, zone, recorded_at, quality'
const SELECT_ALL = `select ${COLUMNS} from pm_habit_records where tenant = ? and owner = ? and day >= ? order by day`
const SELECT_ONE = `select ${COLUMNS} from pm_habit_records where tenant = ? and habit_id = ? and day >= ? order by day`

// A month or week that began before the span counts with its first days.
const LONGEST_PERIOD_DAYS = 31

/**
 * The person's records since a day, grouped by habit and sorted by day; of one habit when its id is
 * given.
 */
export async function readRecordsSince(
  read: Reader,
  { tenant, owner }: Person,
  { from, habitId }: { readonly from: Day; readonly habitId?: string | undefined },
): Promise<ReadonlyMap<string, readonly DoneDay[]>> {
  const since = addDays(from, -LONGEST_PERIOD_DAYS)
  const rows =
    habitId === undefined
      ? await read(SELECT_ALL, tenant, owner, since)
      : await read(SELECT_ONE, tenant, habitId, since)
  const byHabit = new Map<string, DoneDay[]>()
  for (const row of rows) {
    const list = byHabit.get(String(row.habit_id)) ?? []
    byHabit.set(String(row.habit_id), list)
    list.push({
      day: String(row.day),
      zone: String(row.zone),
      recordedAt: Number(row.recorded_at),
      quality: row.quality == null ? null : Number(row.quality),
    })
  }
  return byHabit
}

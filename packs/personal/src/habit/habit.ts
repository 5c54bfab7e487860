import type { Row } from '@surehand/core/internal'
import type { Day } from '@surehand/dates'
import { findOneNamed } from '../match-name.ts'
import type { Person } from '../person.ts'
import type { Reader } from '../personal-data.ts'
import type { Frequency } from './period.ts'
import type { Difficulty } from './shapes.ts'
import { type Run, runOf } from './streak.ts'

type HabitState = 'active' | 'archived' | 'deleted'

/** A habit as stored. */
export type Habit = {
  readonly id: string
  readonly name: string
  readonly category: string
  readonly frequency: Frequency
  readonly difficulty: Difficulty
  readonly description: string | null
  readonly cue: string | null
  readonly routine: string | null
  readonly reward: string | null
  readonly targetDuration: number | null
  readonly reminderTime: string | null
  readonly state: HabitState
  readonly createdAt: number
  readonly startedOn: Day
  /** Undefined when it has to be counted from the records. */
  readonly run: Run | undefined
}

export const HABIT_COLUMNS = `id, name, name_key, category, frequency, difficulty, description, cue, routine, reward, target_duration,
  reminder_time, state, created_at, started_on, last_day, last_zone, run_length, run_best`

/**
 * Converts a row of pm_habits. Only this pack writes the table, so the values need no further
 * check.
 */
export function toHabit(row: Row): Habit {
  const optional = (name: string) => (row[name] ?? null) as string | null
  return {
    id: String(row.id),
    name: String(row.name),
    category: String(row.category),
    frequency: row.frequency as Frequency,
    difficulty: row.difficulty as Difficulty,
    description: optional('description'),
    cue: optional('cue'),
    routine: optional('routine'),
    reward: optional('reward'),
    targetDuration: row.target_duration === null ? null : Number(row.target_duration),
    reminderTime: optional('reminder_time'),
    state: row.state as HabitState,
    createdAt: Number(row.created_at),
    startedOn: String(row.started_on),
    run: row.run_length === null ? undefined : storedRun(row),
  }
}

function storedRun({
  last_day: day,
  last_zone: zone,
  run_length: length,
  run_best: best,
}: Row): Run {
  const last = day == null ? undefined : { day: String(day), zone: String(zone ?? 'UTC') }
  return { last, length: Number(length), best: Number(best ?? length) }
}

const SELECT_DAYS =
  'select day, zone from pm_habit_records where tenant = ? and habit_id = ? order by day'

/** The run of a habit: the stored one, else counted from all records. */
export async function readRun(read: Reader, { tenant }: Person, habit: Habit): Promise<Run> {
  return habit.run ?? countRun(read, tenant, habit)
}

export async function countRun(
  read: Reader,
  tenant: string,
  { id, frequency }: Pick<Habit, 'id' | 'frequency'>,
): Promise<Run> {
  const rows = await read(SELECT_DAYS, tenant, id)
  return runOf(
    rows.map(({ day, zone }) => ({ day: String(day), zone: String(zone) })),
    frequency,
  )
}

const SELECT_NAMES = 'select id, name from pm_habits where tenant = ? and owner = ?'
const SELECT_ONE = `select ${HABIT_COLUMNS} from pm_habits where tenant = ? and owner = ? and id = ?`

/** Finds a habit of this person by name or id, among the active ones unless all are asked for. */
export async function findHabit(
  read: Reader,
  person: Person,
  wanted: { readonly query: string; readonly among?: 'all' },
): Promise<Habit> {
  const states = wanted.among === 'all' ? '' : " and state = 'active'"
  const rows = await read(`${SELECT_NAMES}${states}`, person.tenant, person.owner)
  const named = rows.map(({ id, name }) => ({ id: String(id), name: String(name) }))
  return readHabit(read, person, findOneNamed(wanted.query, named, 'habit').id)
}

/** Reads the habit with this id, which is known to exist. */
export async function readHabit(read: Reader, person: Person, id: string): Promise<Habit> {
  const [row] = await read(SELECT_ONE, person.tenant, person.owner, id)
  if (row === undefined) throw new TypeError(`The habit ${id} was deleted while it was being used.`)
  return toHabit(row)
}

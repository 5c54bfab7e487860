import { atTime, type Day, daysBetween, timeOf } from '@surehand/dates'
import type { LocalTime } from '../local-time.ts'
import type { Person } from '../person.ts'
import type { Reader } from '../personal-data.ts'
import { HABIT_COLUMNS, type Habit, readRun, toHabit } from './habit.ts'
import { placedToday } from './habit-context.ts'
import { isInPeriod, periodOf } from './period.ts'
import { currentStreak, type Run } from './streak.ts'

/** A habit on a given day: whether it is done, and until when it has to be done. */
export type DueHabit = {
  readonly habit: Habit
  readonly run: Run
  /** The number of consecutive periods up to now. */
  readonly streak: number
  /**
   * The day on which it was done within the day, week or month; undefined when it is still to be
   * done.
   */
  readonly doneOn: Day | undefined
  /** The last day on which a completion still counts for this period. */
  readonly until: Day
  /** Days until then; 0 when it is the day itself. */
  readonly daysLeft: number
  /** The instant of the reminder on that day; undefined without a reminder. */
  readonly remindAt: number | undefined
}

type DueOptions = {
  /** The day to look at, in the person's calendar; it may be in the past or the future. */
  readonly day: Day
  readonly localTime: LocalTime
}

const SELECT_ACTIVE = `select ${HABIT_COLUMNS} from pm_habits
  where tenant = ? and owner = ? and state = 'active' and started_on <= ? order by name_key, id`
const SELECT_DONE = `select habit_id, max(day) as day from pm_habit_records
  where tenant = ? and owner = ? and day >= ? and day <= ? group by habit_id`

/**
 * The person's active habits on a day, done and not yet done, in the order in which they should be
 * done.
 */
export async function readDueHabits(
  read: Reader,
  person: Person,
  { day, localTime }: DueOptions,
): Promise<readonly DueHabit[]> {
  const { tenant, owner } = person
  const habits = (await read(SELECT_ACTIVE, tenant, owner, day)).map(toHabit)
  const since = [periodOf(day, 'weekly').from, periodOf(day, 'monthly').from].sort()[0] ?? day
  const rows = await read(SELECT_DONE, tenant, owner, since, day)
  const lastDone = new Map(rows.map((row) => [String(row.habit_id), String(row.day)]))
  const due = await Promise.all(
    habits.map(async (habit) =>
      toDueHabit(
        habit,
        { run: await readRun(read, person, habit), last: lastDone.get(habit.id) },
        { day, localTime },
      ),
    ),
  )
  return due.sort(compareDueHabits)
}

type Known = { readonly run: Run; readonly last: Day | undefined }

function toDueHabit(habit: Habit, { run, last }: Known, { day, localTime }: DueOptions): DueHabit {
  const period = periodOf(day, habit.frequency)
  return {
    habit,
    run,
    streak: currentStreak(run, placedToday(localTime), habit.frequency),
    doneOn: last !== undefined && isInPeriod(last, period) ? last : undefined,
    until: period.to,
    daysLeft: daysBetween(day, period.to),
    remindAt:
      habit.reminderTime === null ? undefined : atTime(day, habit.reminderTime, localTime.zone),
  }
}

// Habits with a reminder are sorted by its time; the rest by the days that are left, then by the
// longest streak.
function compareDueHabits(one: DueHabit, other: DueHabit): number {
  const [oneAt, otherAt] = [
    one.remindAt ?? Number.POSITIVE_INFINITY,
    other.remindAt ?? Number.POSITIVE_INFINITY,
  ]
  if (oneAt !== otherAt) return oneAt < otherAt ? -1 : 1
  return (
    one.daysLeft - other.daysLeft ||
    other.streak - one.streak ||
    (one.habit.name < other.habit.name ? -1 : 1)
  )
}

/** Whether the reminder time has passed and the habit is not done. */
export function isLate({ doneOn, remindAt }: DueHabit, now: number): boolean {
  return doneOn === undefined && remindAt !== undefined && remindAt <= now
}

/**
 * The reminder as a wall-clock time in the zone. A time that daylight saving skips is shown moved
 * forward.
 */
export function formatReminder({ remindAt }: DueHabit, zone: string): string | undefined {
  return remindAt === undefined ? undefined : timeOf(remindAt, zone)
}

import type { z } from 'zod'
import type { LocalTime } from '../local-time.ts'
import type { Habit } from './habit.ts'
import { placedToday } from './habit-context.ts'
import { isInPeriod, periodOf, unitOf } from './period.ts'
import type { HabitInfo, Streak, WholeHabitInfo } from './shapes.ts'
import { currentStreak, type Run } from './streak.ts'

/** The answer of habit.create. */
export function habitInfo({
  id,
  name,
  category,
  frequency,
  difficulty,
  createdAt,
}: Habit): z.input<typeof HabitInfo> {
  return {
    id,
    name,
    category,
    frequency,
    difficulty,
    created_at: new Date(createdAt).toISOString(),
  }
}

/** All fields of a habit; fields without a value are left out. */
export function wholeHabitInfo(habit: Habit): z.input<typeof WholeHabitInfo> {
  const { description, cue, routine, reward, targetDuration, reminderTime } = habit
  return {
    ...habitInfo(habit),
    status: habit.state,
    started_on: habit.startedOn,
    ...(description === null ? {} : { description }),
    ...(cue === null ? {} : { cue }),
    ...(routine === null ? {} : { routine }),
    ...(reward === null ? {} : { reward }),
    ...(targetDuration === null ? {} : { target_duration: targetDuration }),
    ...(reminderTime === null ? {} : { reminder_time: reminderTime }),
  }
}

export function streakView(
  { frequency }: Pick<Habit, 'frequency'>,
  run: Run,
  localTime: LocalTime,
): z.input<typeof Streak> {
  const current = currentStreak(run, placedToday(localTime), frequency)
  return {
    current,
    longest: run.best,
    unit: unitOf(frequency),
    ...(run.last === undefined ? {} : { last_completed: run.last.day }),
    is_at_risk: current > 0 && !isDoneNow({ frequency }, run, localTime),
  }
}

/** Whether the habit is done for the current day, week or month. */
export function isDoneNow(
  { frequency }: Pick<Habit, 'frequency'>,
  { last }: Run,
  { today }: LocalTime,
): boolean {
  return (
    last !== undefined && (last.day > today || isInPeriod(last.day, periodOf(today, frequency)))
  )
}

/** A number with its unit in the singular or plural: "3 days", "1 week". */
export function streakWords(current: number, unit: string): string {
  return `${current} ${current === 1 ? unit.slice(0, -1) : unit}`
}

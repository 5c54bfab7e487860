import { addDays, occurrences, startOfDay } from '@surehand/dates'
import type { LocalTime } from '../local-time.ts'
import { dueOn } from './due.ts'
import type { Task } from './task.ts'

// Rules that come again within a day are no tasks of a list.
const RULE = /^FREQ=(?:DAILY|WEEKLY|MONTHLY|YEARLY)(?:;[A-Z]+=[A-Z0-9,+-]+)*$/
const COUNT = /;COUNT=(\d+)/
const YEARS_MS = 5 * 366 * 86_400_000

/** The rule of a series that a task can follow; undefined for what is more than one rule. */
export function taskRule(recurrence: readonly string[] | undefined): string | undefined {
  const [only, ...others] = (recurrence ?? []).map((line) => line.replace(/^RRULE:/, ''))
  return only !== undefined && others.length === 0 && RULE.test(only) ? only : undefined
}

/**
 * The task that follows a completed one. Days that have passed are left out: a task that waited for
 * a month does not come back four times.
 */
export function nextOccurrence(
  task: Task,
  id: string,
  { now, today, zone }: LocalTime,
): Task | undefined {
  const { due, repeats } = task
  const rule = repeats === undefined ? undefined : afterOneMore(repeats)
  if (due === undefined || rule === undefined) return undefined
  const timeZone = due.zone ?? zone
  // An hour of today that has passed is left out as well: the task would come back overdue.
  const soonest = due.time === undefined ? startOfDay(today, timeZone) : now
  const from = due.day >= today ? startOfDay(addDays(due.day, 1), timeZone) : soonest
  const start = due.time === undefined ? due.day : `${due.day}T${due.time}`
  const series = { start, timeZone, isAllDay: due.time === undefined, rrules: [rule.current] }
  const [next] = occurrences(series, [from, from + YEARS_MS], 1)
  if (next === undefined) return undefined
  const { completedAt: _, deferUntil: __, ...stays } = task
  return {
    ...stays,
    id,
    due: dueOn(next.day, due.time, timeZone),
    repeats: rule.next,
    deferrals: 0,
    createdAt: now,
    updatedAt: now,
  }
}

/** A rule that counts has one time less to go; undefined when this was its last. */
function afterOneMore(
  rule: string,
): { readonly current: string; readonly next: string } | undefined {
  const count = COUNT.exec(rule)?.[1]
  if (count === undefined) return { current: rule, next: rule }
  const left = Number(count) - 1
  return left < 1
    ? undefined
    : { current: rule.replace(COUNT, ''), next: rule.replace(COUNT, `;COUNT=${left}`) }
}

export function describeNext(next: Task | undefined): string {
  if (next?.due === undefined) return ''
  const { day, time } = next.due
  return `It comes again on ${day}${time === undefined ? '' : ` at ${time}`}.`
}

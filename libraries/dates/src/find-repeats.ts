import { addDays, addMonths, type Day, daysInMonth, startOfDay } from './civil.ts'
import { findsOf, leftmost, type Reading, type Span } from './reading.ts'
import { nthOf, onOrAfter } from './weekday.ts'
import type { Repeat } from './words/words.ts'

export type RepeatSpan = Span & { readonly repeat: Repeat }

/** What a text says comes again. */
export function findRepeats({ folded, words }: Reading): readonly RepeatSpan[] {
  return leftmost(
    words.repeats.flatMap((rule) =>
      findsOf(folded, rule.pattern()).flatMap((match): RepeatSpan[] => {
        const repeat = rule.read(match.groups ?? {})
        return repeat === undefined
          ? []
          : [{ start: match.index, end: match.index + match[0].length, repeat }]
      }),
    ),
  )
}

/** Its first day at or after this one. */
export function firstOf({ frequency, weekdays, positions, monthDay }: Repeat, from: Day): Day {
  if (monthDay !== undefined) return firstWithNumber(monthDay, from)
  if (weekdays === undefined || weekdays.length === 0) return from
  const days = weekdays.map((weekday) => onOrAfter(from, weekday)).sort()
  if (frequency !== 'MONTHLY' || positions === undefined) return days[0] ?? from
  const first = `${from.slice(0, 8)}01`
  const months = [0, 1, 2, 3].map((later) => addMonths(first, later))
  const all = months.flatMap((month) =>
    weekdays.flatMap((weekday) => positions.flatMap((nth) => nthOf(month, weekday, nth) ?? [])),
  )
  return all.sort().find((day) => day >= from) ?? from
}

function firstWithNumber(monthDay: number, from: Day): Day {
  const first = `${from.slice(0, 8)}01`
  const fitting = [0, 1, 2]
    .map((later) => addMonths(first, later))
    .filter((month) => monthDay <= daysInMonth(month))
  return fitting.map((month) => addDays(month, monthDay - 1)).find((day) => day >= from) ?? from
}

const CODES = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

export type UntilDay = { readonly day: Day; readonly isAllDay: boolean; readonly timeZone: string }

/** The RRULE line. A day it ends with is the last one, wherever its zone is. */
export function ruleText(
  { frequency, interval, weekdays = [], positions, monthDay }: Repeat,
  until?: UntilDay,
): string {
  const days = weekdays.flatMap((weekday) =>
    (positions ?? ['']).map((nth) => `${nth}${CODES[weekday - 1] ?? ''}`),
  )
  const parts = [
    `FREQ=${frequency}`,
    ...(interval === undefined || interval === 1 ? [] : [`INTERVAL=${interval}`]),
    ...(days.length === 0 ? [] : [`BYDAY=${days.join(',')}`]),
    ...(monthDay === undefined ? [] : [`BYMONTHDAY=${monthDay}`]),
    ...(until === undefined ? [] : [`UNTIL=${untilText(until)}`]),
  ]
  return `RRULE:${parts.join(';')}`
}

// RFC 5545: of a series with times the end is an instant in UTC, of whole days a day
function untilText({ day, isAllDay, timeZone }: UntilDay): string {
  if (isAllDay) return day.replaceAll('-', '')
  const last = new Date(startOfDay(addDays(day, 1), timeZone) - 1000)
  return `${last.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
}

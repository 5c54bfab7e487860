import { ToolError } from '@surehand/core'
import {
  addDays,
  addMonths,
  type Day,
  dayOf,
  dayOfWeek,
  daysBetween,
  isDay,
  startOfDay,
} from '@surehand/dates'

export const PERIODS = [
  'today',
  'yesterday',
  'this_week',
  'last_week',
  'this_month',
  'last_month',
  'this_year',
] as const
type PeriodName = (typeof PERIODS)[number]

/** Whole calendar days, the last included, and the instants at which they begin and end. */
export type Period = {
  readonly from: Day
  readonly to: Day
  readonly fromMs: number
  readonly toMs: number
}

const LONGEST_DAYS = 3_700
const FIRST_DAY: Readonly<Record<string, number>> = { monday: 1, saturday: 6, sunday: 7 }

type Calendar = {
  readonly now: number
  readonly timeZone: string
  readonly weekStart: string
}

export function namedPeriod(name: PeriodName, { now, timeZone, weekStart }: Calendar): Period {
  const today = dayOf(now, timeZone)
  const week = addDays(today, -((dayOfWeek(today) - (FIRST_DAY[weekStart] ?? 1) + 7) % 7))
  const month = `${today.slice(0, 7)}-01`
  switch (name) {
    case 'today':
      return between(today, today, timeZone)
    case 'yesterday':
      return between(addDays(today, -1), addDays(today, -1), timeZone)
    case 'this_week':
      return between(week, addDays(week, 6), timeZone)
    case 'last_week':
      return between(addDays(week, -7), addDays(week, -1), timeZone)
    case 'this_month':
      return between(month, addDays(addMonths(month, 1), -1), timeZone)
    case 'last_month':
      return between(addMonths(month, -1), addDays(month, -1), timeZone)
    case 'this_year':
      return between(`${today.slice(0, 4)}-01-01`, `${today.slice(0, 4)}-12-31`, timeZone)
  }
}

/** A period between two days that the caller named. */
export function periodBetween(from: Day, to: Day, timeZone: string): Period {
  if (
    !isDay(from) ||
    !isDay(to) ||
    daysBetween(from, to) < 0 ||
    daysBetween(from, to) > LONGEST_DAYS
  )
    throw new ToolError(
      'TOOL_INVALID_FIELD_VALUE',
      `${from} to ${to} is not a period of at most ten years. Give two days in order.`,
      {
        details: {
          validation_errors: [
            { field: 'to', error: 'must be a day from `from` on', provided_value: to },
          ],
        },
      },
    )
  return between(from, to, timeZone)
}

function between(from: Day, to: Day, timeZone: string): Period {
  return {
    from,
    to,
    fromMs: startOfDay(from, timeZone),
    toMs: startOfDay(addDays(to, 1), timeZone),
  }
}

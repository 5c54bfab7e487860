import { addDays, type Day, dayOfWeek, daysInMonth } from '@surehand/dates'

export type Frequency = 'daily' | 'weekly' | 'monthly'

/** The days within which a habit has to be done once, both included. Weeks begin on Monday. */
type Period = { readonly from: Day; readonly to: Day }

export function periodOf(day: Day, frequency: Frequency): Period {
  switch (frequency) {
    case 'daily':
      return { from: day, to: day }
    case 'weekly': {
      const from = addDays(day, 1 - dayOfWeek(day))
      return { from, to: addDays(from, 6) }
    }
    case 'monthly': {
      const month = day.slice(0, 'YYYY-MM'.length)
      return { from: `${month}-01`, to: `${month}-${daysInMonth(day)}` }
    }
  }
}

export function isInPeriod(day: Day, { from, to }: Period): boolean {
  return from <= day && day <= to
}

const UNITS = { daily: 'days', weekly: 'weeks', monthly: 'months' } as const
export type Unit = (typeof UNITS)[Frequency]

export function unitOf(frequency: Frequency): Unit {
  return UNITS[frequency]
}

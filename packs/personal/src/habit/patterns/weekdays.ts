import { addDays, type Day, dayOfWeek, daysBetween } from '@surehand/dates'

export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const
export type Weekday = (typeof WEEKDAYS)[number]

export type WeekdayShare = {
  readonly weekday: Weekday
  readonly completions: number
  /** How many of these weekdays there were. */
  readonly opportunities: number
  readonly rate: number
}

// Four of each weekday are needed: with fewer, a single good day would make a pattern.
const ENOUGH_OF_EACH = 4
const CLEAR_DIFFERENCE = 0.2

/**
 * How often the habit was done on each weekday between the two days; today counts only when it is
 * done.
 */
export function weekdayShares(
  days: readonly Day[],
  { from, today }: { readonly from: Day; readonly today: Day },
): WeekdayShare[] {
  const within = days.filter((day) => day >= from && day <= today)
  const completions = WEEKDAYS.map(() => 0)
  for (const day of within)
    completions[dayOfWeek(day) - 1] = (completions[dayOfWeek(day) - 1] ?? 0) + 1
  const last = within.includes(today) ? today : addDays(today, -1)
  const count = Math.max(0, daysBetween(from, last) + 1)
  const first = dayOfWeek(from) - 1
  return WEEKDAYS.map((weekday, index) => {
    const opportunities = Math.floor(count / 7) + ((index - first + 7) % 7 < count % 7 ? 1 : 0)
    const done = completions[index] ?? 0
    return {
      weekday,
      completions: done,
      opportunities,
      rate: opportunities === 0 ? 0 : done / opportunities,
    }
  })
}

/** The best and worst weekday; empty when there are too few of each or no clear difference. */
export function extremeWeekdays(shares: readonly WeekdayShare[]): {
  readonly best?: Weekday
  readonly worst?: Weekday
} {
  if (shares.some(({ opportunities }) => opportunities < ENOUGH_OF_EACH)) return {}
  const sorted = shares.toSorted((one, other) => other.rate - one.rate)
  const [best, worst] = [sorted[0], sorted.at(-1)]
  if (best === undefined || worst === undefined || best.rate - worst.rate < CLEAR_DIFFERENCE)
    return {}
  return { best: best.weekday, worst: worst.weekday }
}

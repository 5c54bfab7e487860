import { addDays, type Day, dayOfWeek } from '@surehand/dates'

export type ReviewKind = 'daily' | 'weekly'

/** The day a review is kept under: a week's is its Monday. */
export function reviewDay(kind: ReviewKind, day: Day): Day {
  return kind === 'daily' ? day : addDays(day, 1 - dayOfWeek(day))
}

import { type Day, dayOf } from '@surehand/dates'
import type { LocalTime } from '../local-time.ts'
import { readDay } from '../task/due.ts'

const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/

/** The day that is meant: a moment as project.status tells it, a date, or words, as they are read where the person is. */
export function parseTarget(text: string, localTime: LocalTime): Day {
  if (DATE_TIME.test(text) && !Number.isNaN(Date.parse(text)))
    return dayOf(Date.parse(text), localTime.zone)
  return readDay(text, localTime, 'target_completion')
}

import { type Day, dayOf } from '@surehand/dates'
import type { LocalTime } from '../local-time.ts'
import { readDay } from '../task/due.ts'

const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/

/**
 * Reads a target day: an instant as project.status returns it, a date, or words in the person's
 * zone.
 */
export function parseTarget(text: string, localTime: LocalTime): Day {
  if (DATE_TIME.test(text) && !Number.isNaN(Date.parse(text)))
    return dayOf(Date.parse(text), localTime.zone)
  return readDay(text, localTime, 'target_completion')
}

import { ToolError } from '@surehand/core'
import { daysBetween } from '@surehand/dates'
import { readDay } from '../task/due.ts'
import type { Here } from '../task/here.ts'
import type { Range } from './deep-work-totals.ts'
import { reviewDay } from './review-day.ts'

const MOST_DAYS = 366

/** The days that are asked about: this week so far where nothing is said. */
export function readRange(
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  here: Here,
): Range {
  const last = to === undefined ? here.today : readDay(to, here, 'to')
  const first = from === undefined ? reviewDay('weekly', last) : readDay(from, here, 'from')
  if (first > last) throw refused(`${first} is after ${last}`, from)
  if (daysBetween(first, last) >= MOST_DAYS)
    throw refused(`from ${first} to ${last} is more than ${MOST_DAYS} days`, from)
  return { from: first, to: last }
}

function refused(error: string, value: string | undefined): ToolError {
  return new ToolError('TOOL_INVALID_FIELD_VALUE', `These days can not be looked at: ${error}.`, {
    details: { validation_errors: [{ field: 'from', error, provided_value: value ?? null }] },
  })
}

import { ToolError } from '@surehand/core'
import ICAL from 'ical.js'
import { LONGEST_RULE, MOST_EXTRA_TIMES, MOST_RULES } from './bounds.ts'
import type { CalendarTime, Recurrence } from './calendar-item.ts'
import { isTimeZone } from './calendar-time.ts'
import { timesOf } from './read-time.ts'
import { timeParameters, timeValue } from './write-time.ts'

// what happens every minute is no appointment, and costs as much as a year of days to look through
const RULE =
  /^(?:[A-Z-]+=[A-Z0-9,:+-]+;)*FREQ=(?:YEARLY|MONTHLY|WEEKLY|DAILY|HOURLY)(?:;[A-Z-]+=[A-Z0-9,:+-]+)*$/

/** The rule as it is written in a calendar, or an error of the table. */
export function readRule(text: string): string {
  const rule = text.toUpperCase().replace(/^RRULE:/, '')
  if (rule.length > LONGEST_RULE || !RULE.test(rule)) throw notARule(text)
  try {
    const read = ICAL.Recur.fromString(rule)
    if ((read.count !== null && read.until !== null) || read.interval < 1 || read.count === 0)
      throw notARule(text)
  } catch (cause) {
    throw notARule(text, cause)
  }
  return rule
}

/** `RRULE:…`, `EXDATE…:…` and `RDATE…:…`, as Google and CanonicalEvent write what happens again. */
export function readRecurrence(lines: readonly string[]): Recurrence {
  if (lines.length > MOST_RULES) throw notARule(`${lines.length} lines`)
  const rules: string[] = []
  const additions: CalendarTime[] = []
  const exceptions: CalendarTime[] = []
  for (const line of lines) {
    const name = /^[A-Z]+/i.exec(line)?.[0].toUpperCase()
    if (name === 'EXDATE') exceptions.push(...timesOn(line))
    else if (name === 'RDATE') additions.push(...timesOn(line))
    else rules.push(readRule(line))
  }
  if (additions.length + exceptions.length > MOST_EXTRA_TIMES)
    throw notARule(`${additions.length + exceptions.length} times`)
  return { rules, additions, exceptions }
}

/** The same, as lines. */
export function writeRecurrence({ rules, additions, exceptions }: Recurrence): readonly string[] {
  return [
    ...rules.map((rule) => `RRULE:${rule}`),
    ...additions.map((time) => `RDATE${timeParameters(time)}:${timeValue(time)}`),
    ...exceptions.map((time) => `EXDATE${timeParameters(time)}:${timeValue(time)}`),
  ]
}

function timesOn(line: string): readonly CalendarTime[] {
  try {
    return timesOf(ICAL.Property.fromString(line), (name) => (isTimeZone(name) ? name : undefined))
  } catch (cause) {
    throw notARule(line, cause)
  }
}

function notARule(text: string, cause?: unknown): ToolError {
  const message = `"${text.slice(0, 80)}" is not a recurrence. Write it as in iCalendar, for example RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=10.`
  return new ToolError('TOOL_INVALID_FIELD_VALUE', message, { cause })
}

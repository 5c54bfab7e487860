import { ToolError } from '@surehand/core'
import { type Day, isDay, readWhen } from '@surehand/dates'
import type { LocalTime } from '../local-time.ts'

/**
 * Reads a day in the person's calendar from a text such as `2026-01-15`, `yesterday` or `last
 * Monday`. Without a text it is today.
 */
export function readDay(
  text: string | undefined,
  { now, zone, today }: LocalTime,
  prefer: 'past' | 'future',
): Day {
  if (text === undefined) return today
  const trimmed = text.trim()
  if (isDay(trimmed)) return trimmed
  const [first] = readWhen(trimmed, { now, timeZone: zone, prefer })
  if (first !== undefined && isDay(first.day)) return first.day
  throw new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    `"${text}" is not a day between the years 1900 and 2200. Write 2026-01-15, "yesterday" or "last Monday".`,
    {
      details: {
        validation_errors: [{ field: 'date', error: 'names no day', provided_value: text }],
      },
    },
  )
}

/** Reads a day like `readDay` and refuses one in the future. */
export function readPastDay(text: string | undefined, localTime: LocalTime): Day {
  const day = readDay(text, localTime, 'past')
  if (day <= localTime.today) return day
  throw new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    `${day} is in the future: today is ${localTime.today} in ${localTime.zone}.`,
    {
      details: {
        validation_errors: [
          { field: 'date', error: 'must not be in the future', provided_value: text },
        ],
        today: localTime.today,
      },
    },
  )
}

import { addDays } from './calendar-day.ts'
import type { Answered } from './score.ts'
import { instantOf, localTimeAt } from './zone-offset.ts'

/** The fields of a CanonicalEvent that are scored. */
export type EventLike = {
  readonly title: string
  readonly startTime: string
  readonly endTime?: string | undefined
  readonly timezone: string
  readonly location?: { readonly name: string; readonly address?: string | undefined } | undefined
  readonly recurrence?: readonly string[] | undefined
  readonly price?: { readonly amount: number; readonly currency?: string | undefined } | undefined
}

type Moment = { readonly day: string; readonly time?: string }

/** The event in the terms of the expected answer, in this time zone. */
export function readAnswered(event: EventLike, timeZone: string): Answered {
  const start = toMoment(event.startTime, event.timezone, timeZone)
  const end =
    event.endTime === undefined ? undefined : toMoment(event.endTime, event.timezone, timeZone)
  const isAllDay = start.time === undefined
  return {
    title: event.title,
    day: start.day,
    time: start.time,
    // The end of an all-day event is the day after the last; the answer has the last day.
    endDay: end && (isAllDay ? addDays(end.day, -1) : end.day),
    endTime: end?.time,
    isAllDay,
    recurrence: event.recurrence?.find((rule) => /FREQ=/i.test(rule)),
    place: event.location,
    price: event.price,
  }
}

function toMoment(text: string, written: string, read: string): Moment {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return { day: text }
  const hasOffset = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(text)
  return localTimeAt(
    hasOffset ? Date.parse(text) : instantOf(text.slice(0, 10), text.slice(11, 16), written),
    read,
  )
}

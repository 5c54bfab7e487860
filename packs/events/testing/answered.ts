import { addDays } from './calendar-day.ts'
import type { Answered } from './score.ts'
import { instantOf, shownAt } from './zone-offset.ts'

/** As much of a CanonicalEvent as can be scored. */
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

/** The event as a person in this zone reads it. */
export function answeredOf(event: EventLike, timeZone: string): Answered {
  const start = momentOf(event.startTime, event.timezone, timeZone)
  const end =
    event.endTime === undefined ? undefined : momentOf(event.endTime, event.timezone, timeZone)
  const isAllDay = start.time === undefined
  return {
    title: event.title,
    day: start.day,
    time: start.time,
    // the end of whole days is the day after, as calendars write it; people say the last day
    endDay: end && (isAllDay ? addDays(end.day, -1) : end.day),
    endTime: end?.time,
    isAllDay,
    recurrence: event.recurrence?.find((rule) => /FREQ=/i.test(rule)),
    place: event.location,
    price: event.price,
  }
}

function momentOf(text: string, written: string, read: string): Moment {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return { day: text }
  const hasOffset = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(text)
  return shownAt(
    hasOffset ? Date.parse(text) : instantOf(text.slice(0, 10), text.slice(11, 16), written),
    read,
  )
}

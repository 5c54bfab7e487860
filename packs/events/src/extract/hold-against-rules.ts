import { addDays, isDay, isTimeZone } from '@surehand/dates'
import type { CanonicalEvent } from './canonical-event.ts'
import { type EventDraft, overallOf } from './draft.ts'
import type { ModelReading } from './event-model-port.ts'
import { eventTimes } from './event-times.ts'

/**
 * A model's reading in our shape, held against what the rules read: where both agree it is sure,
 * where not a person is told.
 */
export function holdAgainstRules(read: ModelReading, rules: EventDraft): EventDraft {
  const times = timesOf(read, rules.event)
  const day = (text: string) => text.slice(0, 10)
  const sameDay = day(times.startTime) === day(rules.event.startTime) && rules.confidence.date > 0
  const sameTime = sameDay && clock(times.startTime) === clock(rules.event.startTime)
  const title = read.title?.trim() ? read.title.trim().slice(0, 500) : rules.event.title
  const sameTitle = alike(title, rules.event.title)
  const place = placeOf(read) ?? rules.event.location
  const samePlace =
    place !== undefined &&
    rules.event.location !== undefined &&
    alike(place.name, rules.event.location.name)
  const { zone, ...told } = rules
  const isNamed =
    (read.timeZone !== null && isTimeZone(read.timeZone)) ||
    (zone !== undefined && (sameTime || read.startDay === null))
  const { recurrence: _, location: __, ...rest } = rules.event
  const event: CanonicalEvent = {
    ...rest,
    ...times,
    title,
    ...(place === undefined ? {} : { location: place }),
    ...(read.description === null ? {} : { description: read.description.slice(0, 8_000) }),
    ...recurrenceOf(read, rules.event),
  }
  const isDated = read.startDay !== null
  const confidence = {
    ...rules.confidence,
    title: sameTitle
      ? Math.max(0.95, rules.confidence.title)
      : read.title === null
        ? rules.confidence.title
        : 0.75,
    date: sameDay ? Math.max(0.96, rules.confidence.date) : isDated ? 0.55 : rules.confidence.date,
    time: sameTime ? Math.max(0.95, rules.confidence.time) : isDated ? 0.55 : rules.confidence.time,
    place:
      place === undefined
        ? rules.confidence.place
        : samePlace
          ? Math.max(0.93, rules.confidence.place)
          : 0.7,
  }
  const doubt =
    isDated && !sameTime
      ? [`The model read ${times.startTime}, the rules ${rules.event.startTime}: please look.`]
      : []
  return {
    ...told,
    event,
    ...(isNamed ? { zone: 'named' as const } : {}),
    confidence: { ...confidence, overall: overallOf(confidence) },
    ...(doubt.length === 0
      ? {}
      : { alternatives: { ...rules.alternatives, starts: [rules.event.startTime] } }),
    provider: 'model',
    ...notesOf(event, doubt),
  }
}

function timesOf(
  read: ModelReading,
  event: CanonicalEvent,
): Pick<CanonicalEvent, 'startTime' | 'endTime' | 'timezone'> & { readonly startTime: string } {
  if (read.startDay === null || !isDay(read.startDay))
    return {
      startTime: event.startTime,
      timezone: event.timezone,
      ...(event.endTime === undefined ? {} : { endTime: event.endTime }),
    }
  const timeZone =
    read.timeZone !== null && isTimeZone(read.timeZone) ? read.timeZone : event.timezone
  const hasEnd = read.endDay !== null && isDay(read.endDay) && read.endDay >= read.startDay
  return eventTimes({
    day: read.startDay,
    timeZone,
    ...(read.startTime === null ? {} : { time: read.startTime }),
    ...(hasEnd && read.endDay !== null ? { endDay: read.endDay } : {}),
    ...(read.endTime === null ? {} : { endTime: read.endTime, ...(hasEnd ? {} : nextDay(read)) }),
  })
}

// until two in the morning is until the next day
function nextDay({ startDay, startTime, endTime }: ModelReading): { endDay?: string } {
  if (startDay === null || startTime === null || endTime === null || endTime > startTime) return {}
  return { endDay: addDays(startDay, 1) }
}

function placeOf({ placeName, placeAddress }: ModelReading): CanonicalEvent['location'] {
  const name = (placeName ?? placeAddress)?.trim().slice(0, 490)
  if (name === undefined || name === '') return undefined
  return {
    name,
    ...(placeAddress === null || placeName === null ? {} : { address: placeAddress.slice(0, 490) }),
  }
}

// a rule that is none would be refused by the calendar, after the person's yes
function recurrenceOf(
  { recurrence }: ModelReading,
  rules: CanonicalEvent,
): { recurrence?: string[] } {
  const lines =
    recurrence?.filter((line) =>
      /^RRULE:FREQ=(?:DAILY|WEEKLY|MONTHLY|YEARLY)(?:;[A-Z]+=[A-Z0-9,+:-]+)*$/.test(line),
    ) ?? []
  if (lines.length > 0) return { recurrence: lines.slice(0, 10) }
  return rules.recurrence === undefined ? {} : { recurrence: rules.recurrence }
}

function notesOf({ location }: CanonicalEvent, doubt: readonly string[]): { notes?: string[] } {
  const notes = [...doubt, ...(location === undefined ? ['No place was found.'] : [])]
  return notes.length === 0 ? {} : { notes }
}

function clock(text: string): string {
  return text.slice(10, 16)
}

function alike(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim(),
  )
  return (
    first !== undefined &&
    second !== undefined &&
    first !== '' &&
    second !== '' &&
    (first.includes(second) || second.includes(first))
  )
}

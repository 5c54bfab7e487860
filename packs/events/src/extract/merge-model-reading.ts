import { addDays, isDay, isTimeZone } from '@surehand/dates'
import type { CanonicalEvent } from './canonical-event.ts'
import { type EventDraft, overallConfidence } from './draft.ts'
import type { ModelReading } from './event-model-port.ts'
import { eventTimes } from './event-times.ts'

/**
 * Merges a model's reading with that of the rules. Where they agree the confidence is high; where
 * they differ, a note asks a person to check.
 */
export function mergeModelReading(read: ModelReading, rules: EventDraft): EventDraft {
  const times = chooseTimes(read, rules.event)
  const day = (text: string) => text.slice(0, 10)
  const sameDay = day(times.startTime) === day(rules.event.startTime) && rules.confidence.date > 0
  const sameTime = sameDay && wallTime(times.startTime) === wallTime(rules.event.startTime)
  const title = read.title?.trim() ? read.title.trim().slice(0, 500) : rules.event.title
  const sameTitle = isSimilar(title, rules.event.title)
  const place = modelPlace(read) ?? rules.event.location
  const samePlace =
    place !== undefined &&
    rules.event.location !== undefined &&
    isSimilar(place.name, rules.event.location.name)
  const { zone, ...draft } = rules
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
    ...chooseRecurrence(read, rules.event),
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
      ? [`The model read ${times.startTime}, the rules ${rules.event.startTime}: please check.`]
      : []
  return {
    ...draft,
    event,
    ...(isNamed ? { zone: 'named' as const } : {}),
    confidence: { ...confidence, overall: overallConfidence(confidence) },
    ...(doubt.length === 0
      ? {}
      : { alternatives: { ...rules.alternatives, starts: [rules.event.startTime] } }),
    provider: 'model',
    ...withNotes(event, doubt),
  }
}

function chooseTimes(
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

// An end at two in the morning is on the next day.
function nextDay({ startDay, startTime, endTime }: ModelReading): { endDay?: string } {
  if (startDay === null || startTime === null || endTime === null || endTime > startTime) return {}
  return { endDay: addDays(startDay, 1) }
}

function modelPlace({ placeName, placeAddress }: ModelReading): CanonicalEvent['location'] {
  const name = (placeName ?? placeAddress)?.trim().slice(0, 490)
  if (name === undefined || name === '') return undefined
  return {
    name,
    ...(placeAddress === null || placeName === null ? {} : { address: placeAddress.slice(0, 490) }),
  }
}

// The calendar would refuse an invalid rule, after the person has approved the event.
function chooseRecurrence(
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

function withNotes({ location }: CanonicalEvent, doubt: readonly string[]): { notes?: string[] } {
  const notes = [...doubt, ...(location === undefined ? ['No place was found.'] : [])]
  return notes.length === 0 ? {} : { notes }
}

function wallTime(text: string): string {
  return text.slice(10, 16)
}

function isSimilar(one: string, other: string): boolean {
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

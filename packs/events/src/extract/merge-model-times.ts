import { addDays, daysBetween, isDay, isTimeZone } from '@surehand/dates'
import type { CanonicalEvent } from './canonical-event.ts'
import { recurrenceLines } from './choose-times.ts'
import { type EventDraft, NO_DATE_NOTE } from './draft.ts'
import type { ModelReading, ModelRequest } from './event-model-port.ts'
import { type EventTimes, eventTimes } from './event-times.ts'
import { containsDay, containsTime } from './model-evidence.ts'

export type MergedTimes = {
  readonly value: Pick<CanonicalEvent, 'startTime' | 'endTime' | 'timezone' | 'recurrence'>
  readonly date: number
  readonly time: number
  readonly zone?: 'named'
  /** The start that the rules read, where it is another. */
  readonly other?: string
  readonly notes: readonly string[]
}

/** A page that states its facts for machines has at least this confidence. */
export const STATED = 0.95
const AGREED = 0.96
const AGREED_ON_NO_TIME = 0.8
/** Only the model read it, and its number is in the text. */
const MODEL_ALONE = 0.75
/** Only the model read it, from the picture or from words such as "tomorrow". */
const UNVERIFIED = 0.65
/** Only the model read it, and nothing in the text says so. */
const UNSEEN = 0.5
const KEPT_AGAINST_MODEL = 0.7
/** As far as "Thursday week" goes. */
const MOST_DAYS_RELATIVE = 14
// An event that is planned, or a series that began years ago; anything else is a misreading.
const MOST_DAYS_AWAY = 5 * 366

/** Merges when the event is. The model decides, except against what a page states for machines. */
export function mergeTimes(
  read: ModelReading,
  rules: EventDraft,
  request: ModelRequest,
): MergedTimes {
  const { event, confidence } = rules
  const isFound = confidence.date > 0
  const kept = keepRules(rules)
  if (read.startDay !== null && !isPlausible(read.startDay, request.today)) return kept
  const isStated = event.source === 'url' && confidence.date >= STATED
  if (read.startDay === null) {
    if (!isFound) return kept
    if (isStated) return { ...kept, notes: ['The model found no date: please check.'] }
    return {
      value: eventTimes({ day: request.today, timeZone: request.timeZone }),
      date: 0,
      time: 0,
      other: event.startTime,
      notes: [
        `The model found no date, the rules ${event.startTime}. It is set to today; please correct it.`,
      ],
    }
  }
  const dated = { ...read, startDay: read.startDay }
  const times = toTimes(dated, event)
  const isSameDay = isFound && dayPart(times.startTime) === dayPart(event.startTime)
  const isSameTime = isFound && timePart(times.startTime) === timePart(event.startTime)
  const isSame = isSameDay && isSameTime
  const differing = `The model read ${times.startTime}, the rules ${event.startTime}: please check.`
  if (isStated && !isSame) return { ...kept, notes: [differing] }
  return {
    value: {
      ...keepEnd(times, { read, event, isSame }),
      ...chooseRecurrence(read, isSame ? event.recurrence : undefined, times),
    },
    date: rateDay(dated, request, isSameDay),
    time: rateTime(read, request, isSameTime),
    ...chooseZone(read, rules, { request, isSame }),
    ...(isSame || !isFound ? {} : { other: event.startTime }),
    notes: isSame || !isFound ? [] : [differing],
  }
}

function keepRules({ event, confidence, zone }: EventDraft): MergedTimes {
  const { startTime, endTime, timezone, recurrence } = event
  return {
    value: {
      startTime,
      timezone,
      ...(endTime === undefined ? {} : { endTime }),
      ...(recurrence === undefined ? {} : { recurrence }),
    },
    date: Math.min(confidence.date, KEPT_AGAINST_MODEL),
    time: Math.min(confidence.time, KEPT_AGAINST_MODEL),
    ...(zone === undefined ? {} : { zone }),
    notes: confidence.date === 0 ? [NO_DATE_NOTE] : [],
  }
}

function isPlausible(day: string, today: string): boolean {
  return isDay(day) && Math.abs(daysBetween(today, day)) <= MOST_DAYS_AWAY
}

type Rated = {
  readonly isSame: boolean
  readonly isDoubted: boolean
  readonly isSeen: boolean
  readonly isUnverifiable: boolean
}

/** Two readings that agree are sure; one alone never is. */
function rate({ isSame, isDoubted, isSeen, isUnverifiable }: Rated): number {
  if (isSame) return isDoubted ? MODEL_ALONE : AGREED
  if (isSeen) return isDoubted ? UNVERIFIED : MODEL_ALONE
  return isUnverifiable ? UNVERIFIED : UNSEEN
}

function rateDay(
  { startDay, unsure }: DatedReading,
  { text, today, image }: ModelRequest,
  isSame: boolean,
): number {
  const away = daysBetween(today, startDay)
  return rate({
    isSame,
    isDoubted: unsure.includes('date'),
    isSeen: containsDay(text, startDay),
    isUnverifiable: image !== undefined || (away >= 0 && away <= MOST_DAYS_RELATIVE),
  })
}

function rateTime(
  { startTime, unsure }: ModelReading,
  { text, image }: ModelRequest,
  isSame: boolean,
): number {
  if (isSame && startTime === null) return AGREED_ON_NO_TIME
  return rate({
    isSame,
    isDoubted: unsure.includes('time'),
    isSeen: startTime !== null && containsTime(text, startTime),
    isUnverifiable: image !== undefined || startTime === null,
  })
}

type DatedReading = ModelReading & { readonly startDay: string }

function toTimes(read: DatedReading, { timezone }: CanonicalEvent): EventTimes {
  const { startDay, startTime, endTime } = read
  const timeZone = read.timeZone !== null && isTimeZone(read.timeZone) ? read.timeZone : timezone
  const lastDay = readLastDay(read)
  return eventTimes({
    day: startDay,
    timeZone,
    ...(startTime === null ? {} : { time: startTime }),
    ...(lastDay === undefined ? {} : { endDay: lastDay }),
    ...(endTime === null ? {} : { endTime }),
  })
}

const MOST_DAYS_LONG = 366

function readLastDay({ startDay, startTime, endDay, endTime }: DatedReading): string | undefined {
  if (endDay !== null && isDay(endDay) && endDay >= startDay)
    return daysBetween(startDay, endDay) > MOST_DAYS_LONG ? undefined : endDay
  // An end at two in the morning is on the next day.
  const isPastMidnight = startTime !== null && endTime !== null && endTime <= startTime
  return isPastMidnight ? addDays(startDay, 1) : undefined
}

/** An end that only the rules found stays where they read the same start. */
function keepEnd(
  times: EventTimes,
  {
    read,
    event,
    isSame,
  }: { readonly read: ModelReading; readonly event: CanonicalEvent; readonly isSame: boolean },
): EventTimes {
  const hasEnd = read.endDay !== null || read.endTime !== null
  return hasEnd || !isSame || event.endTime === undefined
    ? times
    : { ...times, endTime: event.endTime }
}

const WEEKDAY = '[+-]?[1-5]?(?:MO|TU|WE|TH|FR|SA|SU)'
const RULE = new RegExp(
  `^RRULE:FREQ=(?:DAILY|WEEKLY|MONTHLY|YEARLY)(?:;(?:INTERVAL=\\d{1,3}|COUNT=\\d{1,3}|UNTIL=\\d{8}(?:T\\d{6}Z)?|BYDAY=${WEEKDAY}(?:,${WEEKDAY}){0,6}|BYMONTHDAY=-?\\d{1,2}(?:,-?\\d{1,2}){0,10}|BYMONTH=\\d{1,2}(?:,\\d{1,2}){0,11}|BYSETPOS=-?\\d|WKST=(?:MO|SU))){0,6}$`,
)
/** As many as a line of a recurrence can hold. */
const MOST_EXCEPTIONS = 25

/** A series of the rules stays where the model names no other and no last day. */
function chooseRecurrence(
  { recurrence, exceptDays, startTime, endDay }: ModelReading,
  ofRules: CanonicalEvent['recurrence'],
  { timezone }: EventTimes,
): Pick<CanonicalEvent, 'recurrence'> {
  // The calendar would refuse an invalid rule, after the person has approved the event.
  const lines = (recurrence ?? []).filter((line) => RULE.test(line)).slice(0, 2)
  const isOfRules = lines.every((line) => ofRules?.includes(line))
  if (lines.length === 0 || isOfRules)
    return ofRules === undefined || (lines.length === 0 && endDay !== null)
      ? {}
      : { recurrence: ofRules }
  const exceptions = (exceptDays ?? []).filter((day) => isDay(day)).slice(0, MOST_EXCEPTIONS)
  return {
    recurrence: [
      ...recurrenceLines({
        recurrence: lines,
        exceptions,
        timeZone: timezone,
        ...(startTime === null ? {} : { time: startTime }),
      }),
    ],
  }
}

/** Models name the zone that they were given, too; that states nothing about the source. */
function chooseZone(
  { timeZone }: ModelReading,
  { zone }: EventDraft,
  { request, isSame }: { readonly request: ModelRequest; readonly isSame: boolean },
): { readonly zone?: 'named' } {
  const isOther = timeZone !== null && isTimeZone(timeZone) && timeZone !== request.timeZone
  return isOther || (zone !== undefined && isSame) ? { zone: 'named' } : {}
}

function dayPart(text: string): string {
  return text.slice(0, 10)
}

function timePart(text: string): string {
  return text.slice(10, 16)
}

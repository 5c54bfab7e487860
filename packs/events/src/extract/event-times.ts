import {
  addDays,
  atTime,
  type Day,
  dayOf,
  instantText,
  isDay,
  offsetText,
  timeOf,
  type WallTime,
  type When,
} from '@surehand/dates'

export type EventTimes = {
  readonly startTime: string
  readonly endTime: string
  readonly timezone: string
}

const HOUR_MS = 3_600_000

/** The start and end of an event; without an end it takes an hour, or the whole day. */
export function eventTimes({
  day,
  time,
  endDay,
  endTime,
  timeZone,
}: Pick<When, 'day' | 'time' | 'endDay' | 'endTime' | 'timeZone'>): EventTimes {
  if (time === undefined)
    return { startTime: day, endTime: addDays(endDay ?? day, 1), timezone: timeZone }
  const startMs = atTime(day, time, timeZone)
  const endMs =
    endTime === undefined
      ? atTime(endDay ?? day, time, timeZone) + HOUR_MS
      : atTime(endDay ?? day, endTime, timeZone)
  return {
    startTime: instantText(startMs, timeZone),
    endTime: instantText(endMs > startMs ? endMs : startMs + HOUR_MS, timeZone),
    timezone: timeZone,
  }
}

export type Moment = {
  readonly day: Day
  readonly time?: WallTime
  readonly timeZone: string
  readonly zone?: 'named'
}

/** Parses a time of a page: a date, a local time in the given zone, or a time with an offset. */
export function parseMoment(text: string, timeZone: string): Moment | undefined {
  const match =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):?(\d{2})(?::?\d{2}(?:\.\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?)?/i.exec(
      text.trim(),
    )
  const day = match?.[1]
  if (match === null || day === undefined || !isDay(day)) return undefined
  const [, , hour, minute, offset] = match
  if (hour === undefined || minute === undefined || Number(hour) > 23 || Number(minute) > 59)
    return { day, timeZone }
  if (offset === undefined) return { day, time: `${hour}:${minute}`, timeZone }
  const colon = /^[Zz]$/.test(offset)
    ? '+00:00'
    : offset.includes(':')
      ? offset
      : `${offset.slice(0, 3)}:${offset.slice(3)}`
  const atMs = Date.parse(`${day}T${hour}:${minute}:00${colon}`)
  if (Number.isNaN(atMs)) return undefined
  const zone = findZone(colon, atMs, timeZone)
  return { day: dayOf(atMs, zone), time: timeOf(atMs, zone), timeZone: zone, zone: 'named' }
}

/** The same, converted to the zone: before and after a clock change, offsets differ. */
export function parseMomentIn(timeZone: string, text: string): Moment | undefined {
  const moment = parseMoment(text, timeZone)
  if (moment?.time === undefined || moment.timeZone === timeZone) return moment
  const atMs = atTime(moment.day, moment.time, moment.timeZone)
  return { ...moment, day: dayOf(atMs, timeZone), time: timeOf(atMs, timeZone), timeZone }
}

// UTC says nothing about the place, because programs write it. Any other offset is that of the place,
// although its zone has no name.
function findZone(offset: string, atMs: number, timeZone: string): string {
  if (offset === '+00:00' || offsetText(atMs, timeZone) === offset) return timeZone
  const hours = Number(offset.slice(1, 3))
  return offset.endsWith(':00') && hours <= 12
    ? `Etc/GMT${offset.startsWith('+') ? '-' : '+'}${hours}`
    : timeZone
}

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

/**
 * Start and end as an event says them: without an end an hour, or the whole day, which ends with
 * the next.
 */
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

/**
 * A moment as pages write it: a day, a time on the wall of the given zone, or an instant with its
 * offset.
 */
export function momentOf(text: string, timeZone: string): Moment | undefined {
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
  const zone = zoneWith(colon, atMs, timeZone)
  return { day: dayOf(atMs, zone), time: timeOf(atMs, zone), timeZone: zone, zone: 'named' }
}

/**
 * The same on the clock of one zone: a start and an end on both sides of a change of clocks have
 * two offsets.
 */
export function momentIn(timeZone: string, text: string): Moment | undefined {
  const moment = momentOf(text, timeZone)
  if (moment?.time === undefined || moment.timeZone === timeZone) return moment
  const atMs = atTime(moment.day, moment.time, moment.timeZone)
  return { ...moment, day: dayOf(atMs, timeZone), time: timeOf(atMs, timeZone), timeZone }
}

// UTC is what machines write, not where people are; any other offset is the place's own, though
// nobody says its name
function zoneWith(offset: string, atMs: number, timeZone: string): string {
  if (offset === '+00:00' || offsetText(atMs, timeZone) === offset) return timeZone
  const hours = Number(offset.slice(1, 3))
  return offset.endsWith(':00') && hours <= 12
    ? `Etc/GMT${offset.startsWith('+') ? '-' : '+'}${hours}`
    : timeZone
}

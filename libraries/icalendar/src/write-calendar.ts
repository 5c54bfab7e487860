import type { CalendarEvent, CalendarItem, CalendarTask, CalendarTime } from './calendar-item.ts'
import { toEpochMs } from './calendar-time.ts'
import { contentLine, plainValue, textValue } from './content-line.ts'
import { instantValue, isUtc, timeParameters, timeValue } from './write-time.ts'
import { writeTimeZone } from './write-time-zone.ts'

export type WriteOptions = {
  /** Who made it, as in `-//Surehand//events//EN`. */
  readonly prodId: string
  /** What a calendar program calls it. */
  readonly name?: string
  /** When it was made, in milliseconds since 1970. */
  readonly now: number
}

/** Events and tasks as an iCalendar file, with a definition of every zone its times are in. */
export function writeCalendar(
  items: readonly CalendarItem[],
  { prodId, name, now }: WriteOptions,
): string {
  const stamp = instantValue(new Date(now).toISOString())
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    contentLine('PRODID', textValue(prodId)),
    'CALSCALE:GREGORIAN',
    ...(name === undefined
      ? []
      : [contentLine('NAME', textValue(name)), contentLine('X-WR-CALNAME', textValue(name))]),
    ...timeZonesOf(items).flatMap(({ timeZone, sinceMs }) => writeTimeZone(timeZone, sinceMs)),
    ...items.flatMap((item) => writeItem(item, stamp)),
    'END:VCALENDAR',
  ]
  return `${lines.join('\r\n')}\r\n`
}

function writeItem(item: CalendarItem, stamp: string): readonly string[] {
  const component = item.kind === 'event' ? 'VEVENT' : 'VTODO'
  const { recurrence } = item
  return [
    `BEGIN:${component}`,
    contentLine('UID', textValue(item.uid)),
    `DTSTAMP:${stamp}`,
    ...(item.kind === 'event' ? eventLines(item) : taskLines(item)),
    ...timeLine('RECURRENCE-ID', item.recurrenceId),
    ...(recurrence?.rules ?? []).map((rule) => contentLine('RRULE', plainValue(rule))),
    ...(recurrence?.additions ?? []).flatMap((time) => timeLine('RDATE', time)),
    ...(recurrence?.exceptions ?? []).flatMap((time) => timeLine('EXDATE', time)),
    ...textLine('SUMMARY', item.summary),
    ...textLine('DESCRIPTION', item.description),
    ...textLine('LOCATION', item.location),
    ...(item.url === undefined ? [] : [contentLine('URL', plainValue(item.url))]),
    ...textLine('STATUS', item.status?.toUpperCase()),
    ...instantLine('CREATED', item.created),
    ...instantLine('LAST-MODIFIED', item.updated),
    ...numberLine('SEQUENCE', item.sequence),
    `END:${component}`,
  ]
}

const eventLines = ({ start, end }: CalendarEvent): readonly string[] => [
  ...timeLine('DTSTART', start),
  ...timeLine('DTEND', end),
]

function taskLines({
  start,
  due,
  completed,
  priority,
  percentComplete,
}: CalendarTask): readonly string[] {
  return [
    ...timeLine('DTSTART', start),
    ...timeLine('DUE', due),
    ...instantLine('COMPLETED', completed),
    ...numberLine('PRIORITY', priority),
    ...numberLine('PERCENT-COMPLETE', percentComplete),
  ]
}

function timeLine(name: string, time: CalendarTime | undefined): readonly string[] {
  return time === undefined ? [] : [contentLine(`${name}${timeParameters(time)}`, timeValue(time))]
}

const textLine = (name: string, text: string | undefined): readonly string[] =>
  text === undefined ? [] : [contentLine(name, textValue(text))]
const instantLine = (name: string, instant: string | undefined): readonly string[] =>
  instant === undefined ? [] : [`${name}:${instantValue(instant)}`]
const numberLine = (name: string, value: number | undefined): readonly string[] =>
  value === undefined ? [] : [`${name}:${value}`]

type UsedZone = { readonly timeZone: string; readonly sinceMs: number }

function timeZonesOf(items: readonly CalendarItem[]): readonly UsedZone[] {
  const earliest = new Map<string, number>()
  for (const time of items.flatMap(timesIn)) {
    if (time.kind !== 'zoned' || isUtc(time.timeZone)) continue
    const sinceMs = Math.min(
      toEpochMs(time, 'UTC'),
      earliest.get(time.timeZone) ?? Number.POSITIVE_INFINITY,
    )
    earliest.set(time.timeZone, sinceMs)
  }
  return [...earliest].map(([timeZone, sinceMs]) => ({ timeZone, sinceMs }))
}

function timesIn(item: CalendarItem): readonly CalendarTime[] {
  const own = [item.start, item.kind === 'event' ? item.end : item.due, item.recurrenceId]
  return [
    ...own,
    ...(item.recurrence?.additions ?? []),
    ...(item.recurrence?.exceptions ?? []),
  ].filter((time) => time !== undefined)
}

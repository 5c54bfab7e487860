import { Temporal } from 'temporal-polyfill'
import type { CalendarEvent, CalendarItem, CalendarTask, CalendarTime } from './calendar-item.ts'
import { localOf, toEpochMs } from './calendar-time.ts'
import { instantValue, isUtc, timeParameters, timeValue } from './write-time.ts'

/** RFC 5545, 3.1: no line is longer than this many octets, its end left out. */
const LONGEST_LINE = 75

// Characters that a text may not contain; a tab is allowed, and a line break is written as \n.
const CONTROLS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are removed
  /[\u0000-\u0008\u000b-\u001f\u007f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** A text value: whatever it holds, it can't end its line and begin a property of its own. */
function textValue(text: string): string {
  return text
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(CONTROLS, '')
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n')
}

/**
 * A value that is not text (an address, a rule): it has no way to write the end of a line, so it
 * has none.
 */
function plainValue(value: string): string {
  return value.replace(/\s/g, '').replace(CONTROLS, '')
}

/** One property on as many lines as it needs, never cut inside a character. */
function contentLine(name: string, value: string): string {
  const lines: string[] = []
  let line = ''
  let octets = 0
  for (const character of `${name}:${value}`) {
    const width = octetsOf(character)
    if (octets + width > LONGEST_LINE) {
      lines.push(line)
      line = ' '
      octets = 1
    }
    line += character
    octets += width
  }
  return [...lines, line].join('\r\n')
}

function octetsOf(character: string): number {
  const point = character.codePointAt(0) ?? 0
  if (point < 0x80) return 1
  if (point < 0x800) return 2
  return point < 0x10000 ? 3 : 4
}

/**
 * How far ahead a zone's changes are looked at; a rule that holds for all of them is taken to go
 * on.
 */
const YEARS_AHEAD = 12
const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

/**
 * A VTIMEZONE from a little before the first time that is in it. Google and Apple know the zone by
 * its name; Radicale and Outlook go by what stands here.
 */
function writeTimeZone(timeZone: string, sinceMs: number): readonly string[] {
  const since = Temporal.Instant.fromEpochMilliseconds(sinceMs)
    .toZonedDateTimeISO(timeZone)
    .subtract({ years: 1 })
  const changes = changesOf(since)
  const yearly = yearlyRules(changes)
  return [
    'BEGIN:VTIMEZONE',
    contentLine('TZID', timeZone),
    contentLine('X-LIC-LOCATION', timeZone),
    ...observance({ at: since, from: since, isFirst: true }),
    ...changes.flatMap((change) => observance(change, yearly.get(change))),
    'END:VTIMEZONE',
  ]
}

type Change = {
  readonly at: Temporal.ZonedDateTime
  readonly from: Temporal.ZonedDateTime
  readonly isFirst?: true
}

function changesOf(since: Temporal.ZonedDateTime): readonly Change[] {
  const until = since.add({ years: YEARS_AHEAD })
  const changes: Change[] = []
  let at = since.getTimeZoneTransition('next')
  while (at !== null && Temporal.ZonedDateTime.compare(at, until) < 0) {
    const from = at.subtract({ nanoseconds: 1 })
    if (from.offsetNanoseconds !== at.offsetNanoseconds) changes.push({ at, from })
    at = at.getTimeZoneTransition('next')
  }
  return changes
}

/**
 * The first change of each row that goes on by one rule to the end of what was looked at, and its
 * rule.
 */
function yearlyRules(changes: readonly Change[]): ReadonlyMap<Change, string | 'told'> {
  const rules = new Map<Change, string>()
  const rows = Map.groupBy(
    changes,
    ({ at, from }) => `${from.offset} ${at.offset} ${whenOf(from).month}`,
  )
  for (const row of rows.values()) {
    const [first] = row
    const rule = first === undefined || row.length < YEARS_AHEAD - 1 ? undefined : ruleOf(row)
    if (first === undefined || rule === undefined) continue
    for (const change of row) rules.set(change, change === first ? rule : 'told')
  }
  return rules
}

function ruleOf(row: readonly Change[]): string | undefined {
  const moments = row.map(({ from }) => whenOf(from))
  const [first] = moments
  if (
    first === undefined ||
    moments.some(({ weekday, time }) => weekday !== first.weekday || time !== first.time)
  )
    return undefined
  const weekday = WEEKDAYS[first.weekday - 1]
  if (moments.every(({ isLast }) => isLast))
    return `FREQ=YEARLY;BYMONTH=${first.month};BYDAY=-1${weekday}`
  if (moments.every(({ week }) => week === first.week))
    return `FREQ=YEARLY;BYMONTH=${first.month};BYDAY=${first.week}${weekday}`
  return undefined
}

type When = {
  readonly month: number
  readonly weekday: number
  readonly week: number
  readonly isLast: boolean
  readonly time: string
}

// on the clock that was right until then: that is how a VTIMEZONE tells it
function whenOf(before: Temporal.ZonedDateTime): When {
  const clock = before.toPlainDateTime().add({ nanoseconds: 1 })
  return {
    month: clock.month,
    weekday: clock.dayOfWeek,
    week: Math.ceil(clock.day / 7),
    isLast: clock.day > clock.daysInMonth - 7,
    time: clock.toPlainTime().toString(),
  }
}

function observance({ at, from, isFirst }: Change, rule?: string): readonly string[] {
  if (rule === 'told') return []
  const january = at.with({ month: 1, day: 1 }).offsetNanoseconds
  const july = at.with({ month: 7, day: 1 }).offsetNanoseconds
  const kind = at.offsetNanoseconds > Math.min(january, july) ? 'DAYLIGHT' : 'STANDARD'
  const start = isFirst
    ? localOf(at)
    : from.toPlainDateTime().add({ nanoseconds: 1 }).toString({ smallestUnit: 'second' })
  return [
    `BEGIN:${kind}`,
    `DTSTART:${start.replace(/[-:]/g, '')}`,
    `TZOFFSETFROM:${offsetOf(from)}`,
    `TZOFFSETTO:${offsetOf(at)}`,
    ...(rule === undefined ? [] : [`RRULE:${rule}`]),
    `END:${kind}`,
  ]
}

// of a zone's first years an offset has seconds, which the format allows and few readers do
const offsetOf = (moment: Temporal.ZonedDateTime): string => moment.offset.replaceAll(':', '')

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
    ...(item.kind === 'event' && item.isTransparent ? ['TRANSP:TRANSPARENT'] : []),
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

import type ICAL from 'ical.js'
import { Temporal } from 'temporal-polyfill'
import type { CalendarTime } from './calendar-item.ts'

/** Where a day or a clock time is read that has no zone of its own. */
export type ReaderZone = string

// offsets are zones to Temporal, but no calendar knows "+01:00" as one
const OFFSET = /^[+-]\d/

// asking Intl costs a millisecond: nearly all names are in its own list
const LISTED: ReadonlySet<string> = new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])

/** Is this a name of the time zone database? */
export function isTimeZone(name: string): boolean {
  if (LISTED.has(name)) return true
  if (OFFSET.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/**
 * A clock time in a spring's gap is read with the offset before it, one that comes twice is the
 * first (RFC 5545, 3.3.5).
 */
export function toZoned(time: CalendarTime, reader: ReaderZone): Temporal.ZonedDateTime {
  switch (time.kind) {
    case 'date':
      return Temporal.PlainDate.from(time.date).toZonedDateTime(reader)
    case 'zoned':
      return Temporal.PlainDateTime.from(time.local).toZonedDateTime(time.timeZone)
    case 'floating':
      return Temporal.PlainDateTime.from(time.local).toZonedDateTime(reader)
  }
}

/** The instant, in milliseconds since 1970. */
export function toEpochMs(time: CalendarTime, reader: ReaderZone): number {
  if (time.kind === 'zoned' && time.timeZone === 'UTC') return Date.parse(`${time.local}Z`)
  const plain = time.kind === 'floating' && reader === 'UTC' ? utcMs(time.local) : undefined
  return plain ?? toZoned(time, reader).epochMilliseconds
}

/** The clock time so many milliseconds of exact time later. */
export function afterMs(
  time: Exclude<CalendarTime, { readonly kind: 'date' }>,
  ms: number,
  reader: ReaderZone,
): CalendarTime {
  const isUtc = (time.kind === 'zoned' ? time.timeZone : reader) === 'UTC'
  const from = isUtc ? utcMs(time.local) : undefined
  const local = from === undefined ? undefined : utcLocal(from + ms)
  if (local !== undefined) return { ...time, local }
  const moved = toZoned(time, reader).add({ milliseconds: ms })
  return time.kind === 'floating' ? { ...time, local: localOf(moved) } : fromZoned(moved)
}

// Of thousands of times of a series nearly all are counted in UTC, and Temporal takes twenty times
// as long. What is not written in full, or is no time, is left to it.
function utcMs(local: string): number | undefined {
  const ms = Date.parse(`${local}Z`)
  return Number.isNaN(ms) || utcLocal(ms) !== local ? undefined : ms
}

function utcLocal(ms: number): string | undefined {
  const text = new Date(ms).toISOString()
  return text.length === '2026-01-01T00:00:00.000Z'.length ? text.slice(0, 19) : undefined
}

export type DateTimeInZone = { readonly dateTime: string; readonly timeZone: string }

const DATE = /^\d{4}-\d{2}-\d{2}$/
const WITH_OFFSET = /(?:[zZ]|[+-]\d{2}:?\d{2})$/

/**
 * `{ dateTime, timeZone }` as a calendar's time: a date without a time is a whole day, a time without an
 * offset is one in `timeZone`. Throws a RangeError for what is no time.
 */
export function fromDateTime({ dateTime, timeZone }: DateTimeInZone): CalendarTime {
  if (DATE.test(dateTime))
    return {
      kind: 'date',
      date: Temporal.PlainDate.from(dateTime, { overflow: 'reject' }).toString(),
    }
  if (!WITH_OFFSET.test(dateTime)) {
    // the way through the zone moves a time out of a gap: every reader then shows the same one
    return fromZoned(
      Temporal.PlainDateTime.from(dateTime, { overflow: 'reject' }).toZonedDateTime(timeZone),
    )
  }
  return fromZoned(Temporal.Instant.from(dateTime).toZonedDateTimeISO(timeZone))
}

/**
 * In its own zone, or in UTC where the clock time can't tell: of an hour that comes twice it names
 * the first.
 */
export function fromZoned(zoned: Temporal.ZonedDateTime): CalendarTime {
  const first = zoned.toPlainDateTime().toZonedDateTime(zoned.timeZoneId)
  if (first.epochMilliseconds !== zoned.epochMilliseconds) return fromInstant(zoned.toInstant())
  return { kind: 'zoned', local: localOf(zoned), timeZone: zoned.timeZoneId }
}

/**
 * A calendar's time as `{ dateTime, timeZone }`: a day stays a date, everything else has its
 * offset.
 */
export function toDateTime(time: CalendarTime, reader: ReaderZone): DateTimeInZone {
  if (time.kind === 'date') return { dateTime: time.date, timeZone: reader }
  const zoned = toZoned(time, reader)
  return {
    dateTime: `${localOf(zoned)}${zoned.timeZoneId === 'UTC' ? 'Z' : zoned.offset}`,
    timeZone: time.kind === 'zoned' ? time.timeZone : reader,
  }
}

/** The instant as a calendar's time in UTC. */
export function fromEpochMs(epochMs: number): CalendarTime {
  return fromInstant(Temporal.Instant.fromEpochMilliseconds(epochMs))
}

/** This much later on the calendar: of days, days; of clock times, exact time. */
export function later(
  time: CalendarTime,
  by: { readonly days: number } | { readonly hours: number },
): CalendarTime {
  if (time.kind === 'date')
    return { kind: 'date', date: Temporal.PlainDate.from(time.date).add(by).toString() }
  const moved = toZoned(time, 'UTC').add(by)
  return time.kind === 'floating' ? { ...time, local: localOf(moved) } : fromZoned(moved)
}

function fromInstant(instant: Temporal.Instant): CalendarTime {
  return { kind: 'zoned', local: localOf(instant.toZonedDateTimeISO('UTC')), timeZone: 'UTC' }
}

// calendars count whole seconds
export function localOf(zoned: Temporal.ZonedDateTime): string {
  return zoned.toPlainDateTime().toString({ smallestUnit: 'second' })
}

/**
 * Zones whose clocks between them change in every way that is in use; the first that fits stands
 * for all that do the same.
 */
const KNOWN =
  `UTC Europe/Berlin Europe/London Europe/Helsinki Europe/Moscow America/New_York America/Chicago America/Denver America/Phoenix
America/Los_Angeles America/Anchorage America/Halifax America/St_Johns America/Sao_Paulo America/Santiago America/Bogota America/Caracas
America/Mexico_City America/Havana America/Asuncion Pacific/Honolulu Pacific/Auckland Pacific/Chatham Pacific/Apia Pacific/Kiritimati
Pacific/Noumea Pacific/Pago_Pago Pacific/Marquesas Atlantic/Azores Atlantic/South_Georgia Atlantic/Cape_Verde Africa/Cairo Africa/Lagos
Africa/Johannesburg Africa/Nairobi Asia/Jerusalem Asia/Beirut Asia/Tehran Asia/Dubai Asia/Kabul Asia/Karachi Asia/Kolkata Asia/Kathmandu
Asia/Dhaka Asia/Yangon Asia/Bangkok Asia/Shanghai Asia/Tokyo Australia/Sydney Australia/Brisbane Australia/Adelaide Australia/Darwin
Australia/Eucla Australia/Lord_Howe America/Nuuk Pacific/Easter`.split(/\s+/)

/**
 * The name in the time zone database of what a file calls a zone: Outlook says "W. Europe Standard
 * Time", libical "/…/Europe/Berlin".
 */
export function timeZoneName(
  given: string,
  definition: ICAL.Component | undefined,
): string | undefined {
  const location = String(definition?.getFirstPropertyValue('x-lic-location') ?? '')
  const named = [
    given,
    location,
    given.split('/').slice(-2).join('/'),
    given.split('/').slice(-3).join('/'),
  ]
  return (
    named.find((name) => name !== '' && isTimeZone(name)) ??
    (definition === undefined ? undefined : byItsClocks(definition))
  )
}

// the definition's own rules are not run: one for every second since 1970 would never end
function byItsClocks(definition: ICAL.Component): string | undefined {
  const changes = definition.getAllSubcomponents().map(changeOf)
  const year = Math.max(2020, ...changes.map(({ since }) => since))
  const wanted = isSteady(changes) ? [String(changes[0]?.to)] : lastOfEach(changes)
  return KNOWN.filter(isTimeZone).find((name) => sameClocks(clocksOf(name, year), wanted))
}

type Change = {
  readonly since: number
  readonly month: number
  readonly from: number
  readonly to: number
}

function changeOf(observance: ICAL.Component): Change {
  const start = String(observance.getFirstPropertyValue('dtstart') ?? '')
  const rule = String(observance.getFirstPropertyValue('rrule') ?? '')
  const month = /BYMONTH=(\d+)/.exec(rule)?.[1] ?? start.slice(5, 7)
  return {
    // a definition without a year of its own (1601, 1970) is meant for all of them
    since: Math.min(Number(start.slice(0, 4)) || 0, 2035),
    month: Number(month),
    from: secondsOf(observance, 'tzoffsetfrom'),
    to: secondsOf(observance, 'tzoffsetto'),
  }
}

function secondsOf(observance: ICAL.Component, name: string): number {
  const parts = /^([+-])(\d{2}):?(\d{2})(?::?(\d{2}))?$/.exec(
    String(observance.getFirstPropertyValue(name) ?? ''),
  )
  if (parts === null) return Number.NaN
  const [, sign, hours, minutes, seconds = '0'] = parts
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds))
}

const isSteady = (changes: readonly Change[]): boolean =>
  new Set(changes.map(({ to }) => to)).size === 1

// a zone's history may be in the file: what holds now is the newest change to each offset
function lastOfEach(changes: readonly Change[]): readonly string[] {
  const newest = new Map<number, Change>()
  for (const change of changes.toSorted((left, right) => left.since - right.since))
    newest.set(change.to, change)
  return [...newest.values()].map(spellChange)
}

const spellChange = ({ month, from, to }: Omit<Change, 'since'>): string => `${month}:${from}:${to}`

function clocksOf(name: string, year: number): readonly string[] {
  const start = Temporal.ZonedDateTime.from({ year, month: 1, day: 1, timeZone: name })
  const changes: string[] = []
  for (
    let next = start.getTimeZoneTransition('next');
    next?.year === year;
    next = next.getTimeZoneTransition('next')
  )
    changes.push(
      spellChange({
        month: next.month,
        from: seconds(next.subtract({ seconds: 1 })),
        to: seconds(next),
      }),
    )
  return changes.length === 0 ? [String(seconds(start))] : changes
}

const seconds = (moment: Temporal.ZonedDateTime): number => moment.offsetNanoseconds / 1e9

function sameClocks(left: readonly string[], right: readonly string[]): boolean {
  return left.toSorted().join() === right.toSorted().join()
}

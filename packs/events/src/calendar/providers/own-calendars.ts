import { ToolError } from '@surehand/core'
import type { ValueStore } from '@surehand/core/ports'
import { type CalendarEvent, toEpochMs } from '@surehand/icalendar'
import type {
  CalendarOwner,
  CalendarPort,
  CalendarQuery,
  CalendarWrite,
  NewEntry,
  WrittenEntry,
} from '../calendar-port.ts'
import { entryName } from '../entry-name.ts'
import { findEntries } from '../find-entries.ts'
import { eventFile } from './event-file.ts'
import { readEvents } from './read-events.ts'

export type OwnCalendarsOptions = {
  readonly values: ValueStore
  /** Stores the event as a file at a URL that a person can open. */
  readonly keepArtifact: (artifact: {
    readonly tenant: string
    readonly bytes: Uint8Array
    readonly mediaType: string
  }) => Promise<{ readonly url: string }>
  readonly now: () => number
}

const DAY_MS = 86_400_000
/**
 * Longer events are stored with the series: otherwise every query would have to look far back for
 * running ones.
 */
const MAX_MONTHLY_MS = 31 * DAY_MS
/** Windows of more months are read with one query over all months. */
const MAX_MONTHS = 24

/**
 * Calendars in the app's own store: one iCalendar object per event, under a name that contains its
 * time.
 */
export function ownCalendars({ values, keepArtifact, now }: OwnCalendarsOptions): CalendarPort {
  return {
    async read(query) {
      const stored = (
        await Promise.all(prefixesFor(query).map((prefix) => values.list(query.tenant, prefix)))
      ).flat()
      if (stored.length === 0) await requireCalendar(values, query)
      const near = stored.filter(({ key }) => isNear(key, query))
      return findEntries(
        near.flatMap(({ key, value }) => readEvents(value, key)),
        query,
      )
    },

    async write(writing) {
      const key = storageKey(writing)
      const existing = await values.get(writing.tenant, key)
      if (existing !== undefined) return readWritten(existing, key)
      const uid = entryName(writing)
      const file = { uid, entry: writing.entry, now: wholeSecond(now()) }
      const { url } = await keepArtifact({
        tenant: writing.tenant,
        bytes: new TextEncoder().encode(eventFile(file)),
        // A file of this type is UTF-8 by default, and the artifact store accepts types without
        // parameters.
        mediaType: 'text/calendar',
      })
      await values.set(writing.tenant, key, eventFile({ ...file, url }))
      return { id: uid, htmlLink: url, created: new Date(file.now).toISOString() }
    },
  }
}

export type OwnCalendarPort = {
  /** Every event of a calendar; a series is one. */
  readonly events: (owner: CalendarOwner, signal: AbortSignal) => Promise<readonly CalendarEvent[]>
}

/** Reads whole calendars of the app's own store. */
export function ownCalendarFiles({ values }: Pick<OwnCalendarsOptions, 'values'>): OwnCalendarPort {
  return {
    async events(owner) {
      const stored = await values.list(owner.tenant, calendarPrefix(owner))
      return stored
        .flatMap(({ key, value }) => readEvents(value, key))
        .sort((one, other) => toEpochMs(one.start, 'UTC') - toEpochMs(other.start, 'UTC'))
    },
  }
}

// A missing calendar is an error: "nothing found" would be read as "free".
async function requireCalendar(values: ValueStore, query: CalendarQuery): Promise<void> {
  if (
    query.calendarId === 'primary' ||
    (await values.list(query.tenant, calendarPrefix(query))).length > 0
  )
    return
  throw new ToolError(
    'TOOL_RESOURCE_UNAVAILABLE',
    `There is no calendar "${query.calendarId}" yet. Writing the first event creates it.`,
  )
}

function readWritten(text: string, key: string): WrittenEntry {
  const [event] = readEvents(text, key)
  if (event?.url === undefined || event.created === undefined)
    throw new ToolError(
      'TOOL_DATA_CORRUPTION',
      `The calendar contains an entry that Surehand did not write (${key}).`,
    )
  return { id: event.uid, htmlLink: event.url, created: new Date(event.created).toISOString() }
}

// iCalendar has no unit below a second: a replay must return the same value.
const wholeSecond = (atMs: number): number => Math.floor(atMs / 1000) * 1000

// Names of people and calendars are arbitrary: a slash in one must not reach another's entries.
const calendarPrefix = ({ principal, calendarId }: CalendarOwner): string =>
  `events/calendar/${encodeURIComponent(principal)}/${encodeURIComponent(calendarId)}/`

function storageKey(writing: CalendarWrite): string {
  const { startMs, endMs } = spanOf(writing.entry)
  const span = `${startMs / 1000}_${endMs / 1000}`
  const isSeries = writing.entry.recurrence !== undefined || endMs - startMs > MAX_MONTHLY_MS
  return `${calendarPrefix(writing)}${isSeries ? 'series' : monthOf(startMs)}/${span}/${entryName(writing)}`
}

function spanOf({ start, end }: NewEntry): { readonly startMs: number; readonly endMs: number } {
  return { startMs: toEpochMs(start, 'UTC'), endMs: toEpochMs(end, 'UTC') }
}

const monthOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 7)

function prefixesFor(query: CalendarQuery): readonly string[] {
  const prefix = calendarPrefix(query)
  const months: string[] = []
  for (
    let at = startOfMonth(query.fromMs - MAX_MONTHLY_MS - DAY_MS);
    at <= query.toMs + DAY_MS;
    at = startOfMonth(at + 32 * DAY_MS)
  ) {
    if (months.length === MAX_MONTHS) return [prefix]
    months.push(`${prefix}${monthOf(at)}/`)
  }
  return [...months, `${prefix}series/`]
}

const startOfMonth = (atMs: number): number => Date.parse(`${monthOf(atMs)}-01T00:00:00Z`)

// A day begins at a different instant in each zone: one day of margin misses nothing.
function isNear(key: string, { fromMs, toMs }: CalendarQuery): boolean {
  const [name, span = '', folder] = key.split('/').reverse()
  const [start = 0, end = 0] = span.split('_').map((seconds) => Number(seconds) * 1000)
  if (name === undefined || folder === 'series') return start < toMs + DAY_MS
  return start < toMs + DAY_MS && end > fromMs - DAY_MS
}

import { ToolError } from '@surehand/core'
import { RRuleTemporal } from 'rrule-temporal'
import { Temporal } from 'temporal-polyfill'
import { MOST_CANDIDATES, MOST_OF_A_DENSE_SERIES } from './bounds.ts'
import type { CalendarEvent, CalendarTime } from './calendar-item.ts'
import { afterMs, later, localOf, toEpochMs, toZoned } from './calendar-time.ts'
import { evenSeries, timesIn } from './even-series.ts'
import { denseTimes, ruleWork } from './recurrence.ts'

/** From when until before when, and where days and floating times are read. */
export type Window = { readonly fromMs: number; readonly toMs: number; readonly timeZone: string }

export type Occurrence = {
  readonly event: CalendarEvent
  readonly start: CalendarTime
  readonly end: CalendarTime
  readonly startMs: number
  readonly endMs: number
  /** When this one of a series would begin by its rule; undefined of what happens once. */
  readonly recurrenceId?: CalendarTime
}

const DAY_MS = 86_400_000

/**
 * What happens in a window, in order, each time of a series by itself. Cancelled events don't
 * happen.
 */
export function occurrences(
  events: readonly CalendarEvent[],
  window: Window,
): readonly Occurrence[] {
  refuseTooMuch(events, window)
  const found = [...Map.groupBy(events, ({ uid }) => uid).values()].flatMap((group) =>
    occurrencesOf(group, window),
  )
  return found
    .filter((one) => one.event.status !== 'cancelled' && isIn(one, window))
    .toSorted((left, right) => left.startMs - right.startMs)
}

function occurrencesOf(group: readonly CalendarEvent[], window: Window): readonly Occurrence[] {
  const overrides = group.flatMap((event) =>
    event.recurrenceId === undefined ? [] : [occurrenceOf(event, window, event.recurrenceId)],
  )
  const replaced = overrides.flatMap(({ recurrenceId }) => recurrenceId ?? [])
  const others = group.filter((event) => event.recurrenceId === undefined)
  return [...others.flatMap((event) => timesOf(event, window, replaced)), ...overrides]
}

function timesOf(
  event: CalendarEvent,
  window: Window,
  replaced: readonly CalendarTime[],
): readonly Occurrence[] {
  const { recurrence } = event
  if (recurrence === undefined) return [occurrenceOf(event, window)]
  const left = leftOut([...recurrence.exceptions, ...replaced], event.start, window)
  const starts = recurrence.rules.flatMap((rule) => byRule(event, rule, around(event, window)))
  // the first time is one whatever the rules say
  const distinct = new Map(
    [event.start, ...starts, ...recurrence.additions].map((start) => [
      toEpochMs(start, window.timeZone),
      start,
    ]),
  )
  return [...distinct.values()]
    .filter((start) => !left(start))
    .map((start) => occurrenceOf(moveEvent(event, start, window), window, start))
}

// looked at before anything is worked out: each series by itself may be bearable, and a thousand of
// them stand still for everybody
function refuseTooMuch(events: readonly CalendarEvent[], window: Window): void {
  let work = 0
  for (const event of events) {
    for (const rule of event.recurrence?.rules ?? []) {
      const start = toZoned(event.start, 'UTC')
      const stretch = around(event, window)
      work += ruleWork(rule, start, stretch)
      if (work > MOST_CANDIDATES || denseTimes(rule, start, stretch) > MOST_OF_A_DENSE_SERIES)
        throw new ToolError(
          'TOOL_DATA_CORRUPTION',
          `The calendar has too many recurring times to look through then, as of "${nameOf(event)}".`,
        )
    }
  }
}

const nameOf = ({ summary, uid }: CalendarEvent): string => summary ?? uid

// what began before the window may still be going on, and a day begins at another moment for
// everybody
function around(event: CalendarEvent, window: Window): Window {
  return {
    ...window,
    fromMs: window.fromMs - lengthMs(event, window) - 2 * DAY_MS,
    toMs: window.toMs + 2 * DAY_MS,
  }
}

// days and floating times have no zone to change their clocks in: they are counted on one that
// never does
function byRule(
  event: CalendarEvent,
  rule: string,
  { fromMs, toMs }: Window,
): readonly CalendarTime[] {
  const first = toZoned(event.start, 'UTC')
  const even = evenSeries(rule, first, toMs)
  if (even !== undefined)
    return timesIn(even, first, { fromMs, toMs }).map((start) => likeStart(event.start, start))
  try {
    const series = new RRuleTemporal({
      rruleString: rule,
      dtstart: first,
      maxIterations: MOST_CANDIDATES,
      maxCandidateEvaluations: MOST_CANDIDATES,
      // a name only, for the compiler: the polyfill and the library's own types are two copies of
      // one standard
      temporal: Temporal as unknown as {
        ZonedDateTime: { from: (text: string) => Temporal.ZonedDateTime }
      },
    })
    return series
      .between(new Date(fromMs), new Date(toMs), true)
      .map((start) => likeStart(event.start, start))
  } catch (cause) {
    throw new ToolError(
      'TOOL_DATA_CORRUPTION',
      `When "${nameOf(event)}" happens again cannot be determined (${rule}).`,
      {
        cause,
      },
    )
  }
}

function likeStart(pattern: CalendarTime, start: Temporal.ZonedDateTime): CalendarTime {
  return pattern.kind === 'date'
    ? { kind: 'date', date: start.toPlainDate().toString() }
    : { ...pattern, local: localOf(start) }
}

/**
 * An exception may name a whole day of a series of clock times, and either may be told in another
 * zone.
 */
function leftOut(
  times: readonly CalendarTime[],
  start: CalendarTime,
  { timeZone }: Window,
): (time: CalendarTime) => boolean {
  const days = new Set(
    times.filter(({ kind }) => kind === 'date' || start.kind === 'date').map(dayOf),
  )
  const instants = new Set(
    times.filter(({ kind }) => kind !== 'date').map((time) => toEpochMs(time, timeZone)),
  )
  return (time) => days.has(dayOf(time)) || instants.has(toEpochMs(time, timeZone))
}

const dayOf = (time: CalendarTime): string =>
  time.kind === 'date' ? time.date : time.local.slice(0, 10)

// RFC 5545, 3.8.5.3: every time of a series is exactly as long as the first
function moveEvent(event: CalendarEvent, start: CalendarTime, window: Window): CalendarEvent {
  if (event.end === undefined) return { ...event, start }
  if (start.kind === 'date')
    return {
      ...event,
      start,
      end: later(start, {
        days: Math.round(lengthMs(event, { ...window, timeZone: 'UTC' }) / DAY_MS),
      }),
    }
  return { ...event, start, end: afterMs(start, lengthMs(event, window), window.timeZone) }
}

function occurrenceOf(
  event: CalendarEvent,
  { timeZone }: Window,
  recurrenceId?: CalendarTime,
): Occurrence {
  const { start } = event
  const end = event.end ?? (start.kind === 'date' ? later(start, { days: 1 }) : start)
  const times = { start, end, startMs: toEpochMs(start, timeZone), endMs: toEpochMs(end, timeZone) }
  return { event, ...times, ...(recurrenceId === undefined ? {} : { recurrenceId }) }
}

function lengthMs({ start, end }: CalendarEvent, { timeZone }: Window): number {
  return end === undefined ? 0 : Math.max(0, toEpochMs(end, timeZone) - toEpochMs(start, timeZone))
}

// what takes no time is where it begins
function isIn({ startMs, endMs }: Occurrence, { fromMs, toMs }: Window): boolean {
  return startMs < toMs && (endMs > fromMs || startMs >= fromMs)
}

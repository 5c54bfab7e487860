import { isToolError, ToolError } from '@surehand/core'
import ICAL from 'ical.js'
import { Temporal } from 'temporal-polyfill'
import {
  DEEPEST,
  MOST_CHARACTERS,
  MOST_COMPONENTS,
  MOST_EXTRA_TIMES,
  MOST_RULES,
} from './bounds.ts'
import type {
  CalendarEvent,
  CalendarItem,
  CalendarTask,
  CalendarTime,
  Recurrence,
} from './calendar-item.ts'
import { fromZoned, localOf, timeZoneName, toZoned } from './calendar-time.ts'
import { instantOf, timesOf, type ZoneNames } from './read-time.ts'
import { readRule } from './recurrence.ts'

/**
 * The events and tasks of an iCalendar file. Throws TOOL_INVALID_FIELD_VALUE for what is none, or
 * is made to hurt.
 */
export function readCalendar(text: string): readonly CalendarItem[] {
  checkBounds(text)
  try {
    return calendarsIn(text).flatMap(itemsOf)
  } catch (thrown) {
    if (isToolError(thrown)) throw thrown
    throw unreadableError(thrown instanceof Error ? thrown.message : String(thrown), thrown)
  }
}

function calendarsIn(text: string): readonly ICAL.Component[] {
  // one calendar, or several one after the other; erased: the library says no more of its arrays
  const parsed: unknown[] = ICAL.parse(text.replace(/^\ufeff/, ''))
  const several = parsed.every(Array.isArray) ? (parsed as unknown[][]) : [parsed]
  return several.map((one) => new ICAL.Component(one)).filter(({ name }) => name === 'vcalendar')
}

function itemsOf(calendar: ICAL.Component): readonly CalendarItem[] {
  const zones = zonesOf(calendar)
  const components = [
    ...calendar.getAllSubcomponents('vevent'),
    ...calendar.getAllSubcomponents('vtodo'),
  ]
  return components.map((component) => readItem(component, zones))
}

function zonesOf(calendar: ICAL.Component): ZoneNames {
  const definitions = new Map(
    calendar
      .getAllSubcomponents('vtimezone')
      .map((one) => [String(one.getFirstPropertyValue('tzid')), one]),
  )
  const known = new Map<string, string | undefined>()
  return (given) => {
    if (!known.has(given)) known.set(given, timeZoneName(given, definitions.get(given)))
    return known.get(given)
  }
}

function checkBounds(text: string): void {
  if (text.length > MOST_CHARACTERS)
    throw unreadableError(`it has more than ${MOST_CHARACTERS} characters`)
  let depth = 0
  let components = 0
  for (const { 1: word } of text.matchAll(/^(BEGIN|END):/gim)) {
    const isBegin = word?.toUpperCase() === 'BEGIN'
    depth += isBegin ? 1 : -1
    components += isBegin ? 1 : 0
    if (depth > DEEPEST)
      throw unreadableError(`its parts stand in each other more than ${DEEPEST} deep`)
    if (components > MOST_COMPONENTS)
      throw unreadableError(`it has more than ${MOST_COMPONENTS} parts`)
  }
  if (components === 0) throw unreadableError('nothing begins in it')
}

function unreadableError(why: string, cause?: unknown): ToolError {
  return new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    `This is not readable as iCalendar: ${why.slice(0, 200)}.`,
    { cause },
  )
}

/**
 * A VEVENT or a VTODO. What an item can't be without is refused, what else is odd about it is left
 * out.
 */
function readItem(component: ICAL.Component, zones: ZoneNames): CalendarItem {
  const uid = textOf(component, 'uid')
  if (uid === undefined)
    throw new ToolError('TOOL_INVALID_FIELD_VALUE', 'An item of the calendar has no UID.')
  const common = {
    uid,
    ...textsOf(component),
    ...instantsOf(component),
    ...recurrenceOf(component, zones),
  }
  return component.name === 'vtodo'
    ? readTask(component, common, zones)
    : readEvent(component, common, zones)
}

type Known = Omit<CalendarEvent, 'kind' | 'start' | 'status' | 'end' | 'isTransparent'>

function readEvent(component: ICAL.Component, common: Known, zones: ZoneNames): CalendarEvent {
  const start = timeOf(component, 'dtstart', zones)
  if (start === undefined)
    throw new ToolError('TOOL_INVALID_FIELD_VALUE', `The event ${common.uid} has no start.`)
  const end = timeOf(component, 'dtend', zones) ?? endOf(component, start)
  const status = statusOf(component, EVENT_STATUS)
  const isTransparent = textOf(component, 'transp')?.toUpperCase() === 'TRANSPARENT'
  return {
    kind: 'event',
    ...common,
    start,
    ...(end === undefined ? {} : { end }),
    ...(status === undefined ? {} : { status }),
    ...(isTransparent ? { isTransparent } : {}),
  }
}

function readTask(component: ICAL.Component, common: Known, zones: ZoneNames): CalendarTask {
  const start = timeOf(component, 'dtstart', zones)
  const due =
    timeOf(component, 'due', zones) ?? (start === undefined ? undefined : endOf(component, start))
  const status = statusOf(component, TASK_STATUS)
  const completed = propertyInstant(component, 'completed')
  const priority = numberOf(component, 'priority')
  const percentComplete = numberOf(component, 'percent-complete')
  return {
    kind: 'task',
    ...common,
    ...(start === undefined ? {} : { start }),
    ...(due === undefined ? {} : { due }),
    ...(status === undefined ? {} : { status }),
    ...(completed === undefined ? {} : { completed }),
    ...(priority === undefined ? {} : { priority }),
    ...(percentComplete === undefined ? {} : { percentComplete }),
  }
}

const EVENT_STATUS = ['tentative', 'confirmed', 'cancelled'] as const
const TASK_STATUS = ['needs-action', 'in-process', 'completed', 'cancelled'] as const

function statusOf<S extends string>(component: ICAL.Component, known: readonly S[]): S | undefined {
  const given = textOf(component, 'status')?.toLowerCase()
  return known.find((status) => status === given)
}

function textsOf(
  component: ICAL.Component,
): Pick<Known, 'summary' | 'description' | 'location' | 'url'> {
  const found = (['summary', 'description', 'location', 'url'] as const).map(
    (name) => [name, textOf(component, name)] as const,
  )
  return Object.fromEntries(found.filter(([, text]) => text !== undefined && text !== ''))
}

function textOf(component: ICAL.Component, name: string): string | undefined {
  const value = component.getFirstPropertyValue(name)
  return value === null ? undefined : String(value)
}

function instantsOf(component: ICAL.Component): Pick<Known, 'created' | 'updated' | 'sequence'> {
  const created = propertyInstant(component, 'created')
  const updated = propertyInstant(component, 'last-modified')
  const sequence = numberOf(component, 'sequence')
  return {
    ...(created === undefined ? {} : { created }),
    ...(updated === undefined ? {} : { updated }),
    ...(sequence === undefined ? {} : { sequence }),
  }
}

function propertyInstant(component: ICAL.Component, name: string): string | undefined {
  const property = component.getFirstProperty(name)
  return property === null ? undefined : instantOf(property)
}

function numberOf(component: ICAL.Component, name: string): number | undefined {
  const value = Number(component.getFirstPropertyValue(name) ?? Number.NaN)
  return Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

function timeOf(
  component: ICAL.Component,
  name: string,
  zones: ZoneNames,
): CalendarTime | undefined {
  const property = component.getFirstProperty(name)
  return property === null ? undefined : timesOf(property, zones)[0]
}

// days of a DURATION are days of the calendar, its hours are exact (RFC 5545, 3.8.2.5)
function endOf(component: ICAL.Component, start: CalendarTime): CalendarTime | undefined {
  const text = textOf(component, 'duration')
  if (text === undefined) return undefined
  const duration = Temporal.Duration.from(text)
  if (start.kind === 'date')
    return { kind: 'date', date: Temporal.PlainDate.from(start.date).add(duration).toString() }
  const end = toZoned(start, 'UTC').add(duration)
  return start.kind === 'floating' ? { ...start, local: localOf(end) } : fromZoned(end)
}

function recurrenceOf(
  component: ICAL.Component,
  zones: ZoneNames,
): { recurrence?: Recurrence; recurrenceId?: CalendarTime } {
  const rules = component.getAllProperties('rrule')
  const [additions, exceptions] = ['rdate', 'exdate'].map((name) =>
    component.getAllProperties(name).flatMap((one) => timesOf(one, zones)),
  )
  if (
    rules.length > MOST_RULES ||
    (additions?.length ?? 0) + (exceptions?.length ?? 0) > MOST_EXTRA_TIMES
  )
    throw new ToolError(
      'TOOL_INVALID_FIELD_VALUE',
      'An item of the calendar happens again in more ways than can be looked through.',
    )
  const recurrenceId = timeOf(component, 'recurrence-id', zones)
  const recurrence = {
    rules: rules.map((rule) => readRule(String(rule.getFirstValue()))),
    additions: additions ?? [],
    exceptions: exceptions ?? [],
  }
  return {
    ...(rules.length > 0 || recurrence.additions.length > 0 ? { recurrence } : {}),
    ...(recurrenceId === undefined ? {} : { recurrenceId }),
  }
}

import { isToolError, ToolError } from '@surehand/core'
import ICAL from 'ical.js'
import { DEEPEST, MOST_CHARACTERS, MOST_COMPONENTS } from './bounds.ts'
import type { CalendarItem } from './calendar-item.ts'
import { readItem } from './read-item.ts'
import type { ZoneNames } from './read-time.ts'
import { timeZoneName } from './time-zone-name.ts'

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

import { isToolError } from '@surehand/core'
import { sha256 } from '@surehand/core/internal'
import { type CalendarItem, type CalendarTime, readCalendar } from '@surehand/icalendar'
import type { ImportProblem, ReadItems } from './import-item.ts'
import { type RowDefaults, toItems } from './read-lists.ts'

const PRIORITY = (priority: number | undefined) =>
  !priority ? undefined : priority < 5 ? 'high' : priority === 5 ? 'medium' : 'low'
const OURS = /^task-(.+)@surehand$/
const ITEM = /^BEGIN:(VEVENT|VTODO)\r?\n[\s\S]*?^END:\1\r?$/gim

/**
 * Reads to-dos and events as tasks. An item is imported once, however often the calendar is
 * imported.
 */
export function readCalendarTasks(text: string, usual: RowDefaults): ReadItems {
  const { items, problems } = readCalendarItems(text)
  const read = toItems(
    items.map((item, index) => ({
      place: item.summary ?? `item ${index + 1}`,
      given: toTaskRow(item, usual),
    })),
    'tasks',
    usual,
  )
  return { items: read.items, problems: [...problems, ...read.problems] }
}

// The whole text is read first. When that fails, it is read item by item, so that invalid items are
// reported and the others are kept.
function readCalendarItems(text: string): {
  readonly items: readonly CalendarItem[]
  readonly problems: readonly ImportProblem[]
} {
  const parts = text.match(ITEM) ?? []
  try {
    return { items: readCalendar(text), problems: [] }
  } catch (thrown) {
    if (!isToolError(thrown) || parts.length < 2) throw thrown
  }
  const around = text.replace(ITEM, '').replace(/^END:VCALENDAR[\s\S]*$/im, '')
  const items: CalendarItem[] = []
  const problems: ImportProblem[] = []
  for (const [index, part] of parts.entries()) {
    try {
      items.push(...readCalendar(`${around.trimEnd()}\r\n${part.trimEnd()}\r\nEND:VCALENDAR\r\n`))
    } catch (thrown) {
      if (!isToolError(thrown)) throw thrown
      problems.push({ place: `item ${index + 1}`, problem: thrown.message })
    }
  }
  return { items, problems }
}

function toTaskRow(item: CalendarItem, { now }: RowDefaults): Readonly<Record<string, unknown>> {
  const isDone = item.kind === 'task' && item.status === 'completed'
  const [, ours] = OURS.exec(item.uid) ?? []
  const notes = [item.description, item.location, item.url, describeRecurrence(item)]
    .filter((part) => part !== undefined)
    .join('\n\n')
  return {
    id:
      ours ??
      `ical_${sha256(item.uid + (item.recurrenceId === undefined ? '' : JSON.stringify(item.recurrenceId))).slice(0, 24)}`,
    title: item.summary ?? 'Untitled',
    ...(notes === '' ? {} : { notes }),
    ...dueColumns(item.kind === 'event' ? item.start : (item.due ?? item.start)),
    ...(item.kind === 'task' && PRIORITY(item.priority) !== undefined
      ? { priority: PRIORITY(item.priority) }
      : {}),
    ...(isDone ? { state: 'completed', completed_at: completedAt(item.completed, now) } : {}),
    ...(item.status === 'cancelled' ? { state: 'deleted', deleted_at: now } : {}),
  }
}

function completedAt(completed: string | undefined, now: number): number {
  return completed === undefined ? now : Date.parse(completed)
}

// A task is done once, so the recurrence is written into its notes.
function describeRecurrence({ recurrence }: CalendarItem): string | undefined {
  return recurrence === undefined || recurrence.rules.length === 0
    ? undefined
    : `Repeats: ${recurrence.rules.join('; ')}`
}

function dueColumns(time: CalendarTime | undefined): Readonly<Record<string, unknown>> {
  if (time === undefined) return {}
  if (time.kind === 'date') return { due_day: time.date }
  const at = { due_day: time.local.slice(0, 10), due_time: time.local.slice(11, 16) }
  return time.kind === 'zoned' ? { ...at, due_zone: time.timeZone } : at
}

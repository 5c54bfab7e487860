import { isToolError, ToolError } from '@surehand/core'
import { type SqlValue, sha256 } from '@surehand/core/internal'
import { type CalendarItem, type CalendarTime, readCalendar } from '@surehand/icalendar'
import { readCsv, uncell } from '../export/csv.ts'
import { CSV_COLUMNS, type CsvFamily } from '../export/csv-columns.ts'
import { tableOf } from '../families.ts'
import { checkRow } from './check-row.ts'
import type { When } from './complete-row.ts'
import type { ImportItem, ImportProblem, ReadItems } from './import-item.ts'

/** The defaults of a row. */
export type RowDefaults = When & { readonly newId: (prefix: string) => string }

/** Reads a CSV text whose first line names the columns; unknown columns are ignored. */
export function readSpreadsheet(text: string, family: CsvFamily, usual: RowDefaults): ReadItems {
  const [head, ...records] = readCsv(text.replace(/^\ufeff/, ''))
  const names = (head?.cells ?? []).map((name) => name.trim().toLowerCase().replace(/\s+/g, '_'))
  const needed =
    family === 'tasks'
      ? 'title'
      : family === 'habit_records'
        ? 'habit_id'
        : family === 'deep_work'
          ? 'subject'
          : 'name'
  if (!names.includes(needed))
    throw new ToolError(
      'TOOL_INVALID_FIELD_VALUE',
      `The first line must name the columns. For ${family} it must contain "${needed}".`,
      {
        details: { columns: CSV_COLUMNS[family] },
      },
    )
  return toItems(
    records.map(({ line, cells }) => ({
      place: `line ${line}`,
      given: readCells(names, cells, family),
    })),
    family,
    usual,
  )
}

function readCells(
  names: readonly string[],
  cells: readonly string[],
  family: CsvFamily,
): Readonly<Record<string, unknown>> {
  const types = new Map(tableOf(family).columns.map(({ name, type }) => [name, type]))
  const known: readonly string[] = CSV_COLUMNS[family]
  return Object.fromEntries(
    names.flatMap((name, index) => {
      const text = uncell(cells[index] ?? '')
      if (!known.includes(name) || text === '') return []
      return [
        [name, types.get(name) === 'text' || Number.isNaN(Number(text)) ? text : Number(text)],
      ]
    }),
  )
}

const TASK = /^\s*[-*+]\s+\[([ xX])\]\s+(.+)$/
const DUE = /(?:📅|🗓️?|\bdue:)\s*(\d{4}-\d{2}-\d{2})/u
const DONE = /✅\s*(\d{4}-\d{2}-\d{2})/u
const MARKS = /(?:📅|🗓️?|✅|🛫|⏳|➕|\bdue:)\s*\d{4}-\d{2}-\d{2}|[🔺⏫🔼🔽⏬]|(?<=\s)\^[\w-]+$/gu
const MARK_OF = { high: /[🔺⏫]/u, medium: /🔼/u, low: /[🔽⏬]/u } as const

/** Reads lines such as `- [ ] Call the plumber 📅 2026-05-01`; other lines are ignored. */
export function readTaskList(text: string, usual: RowDefaults): ReadItems {
  const found = text.split(/\r?\n/).flatMap((line, index) => {
    const [, mark, words] = TASK.exec(line) ?? []
    return mark === undefined || words === undefined
      ? []
      : [{ place: `line ${index + 1}`, given: readTask(mark !== ' ', words, usual) }]
  })
  return toItems(found, 'tasks', usual)
}

function readTask(
  isDone: boolean,
  words: string,
  { now }: RowDefaults,
): Readonly<Record<string, unknown>> {
  const [, due] = DUE.exec(words) ?? []
  const [, done] = DONE.exec(words) ?? []
  const [priority] = Object.entries(MARK_OF).find(([, mark]) => mark.test(words)) ?? []
  const doneAt = done === undefined ? now : Date.parse(`${done}T12:00:00Z`)
  return {
    title: words.replace(MARKS, ' ').replace(/\s+/g, ' ').trim(),
    ...(due === undefined ? {} : { due_day: due }),
    ...(priority === undefined ? {} : { priority }),
    ...(isDone ? { state: 'completed', completed_at: Number.isNaN(doneAt) ? now : doneAt } : {}),
  }
}

const PREFIX: Readonly<Record<CsvFamily, string>> = {
  tasks: 'task',
  habits: 'hab',
  projects: 'proj',
  deep_work: 'dw',
  habit_records: '',
}
const LEFT_OUT: Readonly<Record<CsvFamily, Readonly<Record<string, SqlValue>>>> = {
  tasks: { state: 'inbox' },
  habits: { state: 'active', category: 'other', frequency: 'daily', difficulty: 'easy' },
  projects: { state: 'active', priority: 'medium' },
  deep_work: {},
  habit_records: {},
}

type Line = { readonly place: string; readonly given: Readonly<Record<string, unknown>> }

/**
 * Converts lines to rows with defaults. A row without an id gets a new one and is compared by name.
 */
function toItems(
  lines: readonly Line[],
  family: CsvFamily,
  { now, today, newId }: RowDefaults,
): ReadItems {
  const items: ImportItem[] = []
  const problems: ImportProblem[] = []
  for (const { place, given } of lines) {
    const stamps = {
      created_at: now,
      updated_at: now,
      recorded_at: now,
      started_on: today,
      id: newId(PREFIX[family] || 'row'),
    }
    const checked = checkRow(family, { ...stamps, ...LEFT_OUT[family], ...given }, { now, today })
    if (checked.ok)
      items.push({
        family,
        place,
        row: checked.row,
        knownBy: given.id === undefined ? 'name' : 'id',
      })
    else problems.push({ place, problem: checked.problem })
  }
  return { items, problems }
}

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

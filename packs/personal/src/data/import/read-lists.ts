import { ToolError } from '@surehand/core'
import type { SqlValue } from '@surehand/core/internal'
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
export function toItems(
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

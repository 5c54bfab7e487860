import { defineTool } from '@surehand/core'
import type { Row } from '@surehand/core/internal'
import { z } from 'zod'
import { baseName } from '../knowledge/file-name.ts'
import { writeNote } from '../knowledge/markdown-note.ts'
import { toNote } from '../knowledge/note.ts'
import { readTimeZone } from '../local-time.ts'
import { requireSelfScope } from '../person.ts'
import { bindReader, personalData } from '../personal-data.ts'
import { csvLine } from './export/csv.ts'
import { CSV_COLUMNS, CSV_FAMILIES, type CsvFamily } from './export/csv-columns.ts'
import { type Page, readPage } from './export/read-page.ts'
import { writeJson } from './export/write-json.ts'
import { FAMILIES, type Family } from './families.ts'
import { writeFeed } from './feed.ts'

const OPEN_STATES = [
  'inbox',
  'next_action',
  'project',
  'waiting_for',
  'someday_maybe',
  'reference',
] as const

/**
 * The page as a map from path to text: one file per note, and one list per family. Deleted rows are
 * left out. A list that an earlier page began continues in a file of its own, because the same name
 * would overwrite the earlier file.
 */
function writeMarkdown({ rows, number, continues }: Page): Record<string, string> {
  const of = (family: Family) =>
    rows.filter(
      (one) => one.family === family && one.row.deleted_at == null && one.row.state !== 'deleted',
    )
  const files: Record<string, string> = {}
  for (const { row } of of('notes'))
    files[`notes/${row.path}`] = writeNote(toNote(row), baseName(String(row.path)))
  const lists = {
    tasks: tasks(of('tasks').map(({ row }) => row)),
    habits: habits(of('habits').map(({ row }) => row)),
    projects: projects(of('projects').map(({ row }) => row)),
  }
  for (const [family, text] of Object.entries(lists))
    if (text !== '') files[family === continues ? `${family}-${number}.md` : `${family}.md`] = text
  return files
}

function tasks(rows: readonly Row[]): string {
  return [...OPEN_STATES, 'completed']
    .flatMap((state) => {
      const found = rows.filter((row) => row.state === state)
      return found.length === 0 ? [] : [`## ${state}\n\n${found.map(taskLine).join('\n')}\n`]
    })
    .join('\n')
}

/** A line in the format of the Tasks plugin of Obsidian, which data.import reads too. */
export function taskLine(row: Row): string {
  const due = row.due_day == null ? '' : ` 📅 ${row.due_day}`
  const priority =
    row.priority === 'high'
      ? ' ⏫'
      : row.priority === 'low'
        ? ' 🔽'
        : row.priority === 'medium'
          ? ' 🔼'
          : ''
  const done =
    row.completed_at == null
      ? ''
      : ` ✅ ${new Date(Number(row.completed_at)).toISOString().slice(0, 10)}`
  const title = String(row.title).replace(/\s+/g, ' ')
  return `- [${row.state === 'completed' ? 'x' : ' '}] ${title}${priority}${due}${done}`
}

function habits(rows: readonly Row[]): string {
  return rows
    .map(
      (row) =>
        `- **${row.name}** (${row.frequency}, ${row.category}, ${row.difficulty})${text(row.description)}\n`,
    )
    .join('')
}

function projects(rows: readonly Row[]): string {
  return rows
    .map((row) => `- **${row.name}** (${row.state}, ${row.priority})${text(row.description)}\n`)
    .join('')
}

function text(value: Row[string] | undefined): string {
  return value == null ? '' : `: ${String(value).replace(/\s+/g, ' ')}`
}

const FORMATS = ['json', 'markdown', 'csv', 'icalendar'] as const
type Format = (typeof FORMATS)[number]

const MEDIA: Readonly<Record<Format, string>> = {
  json: 'application/json',
  markdown: 'text/markdown',
  csv: 'text/csv',
  icalendar: 'text/calendar',
}
const IN_FORMAT: Readonly<Record<Format, readonly Family[]>> = {
  json: FAMILIES,
  markdown: ['projects', 'habits', 'tasks', 'notes'],
  csv: [],
  icalendar: ['projects', 'habits', 'tasks', 'deep_work'],
}

export const dataExport = defineTool({
  id: 'data.export',
  title: 'Export your data',
  category: 'data_analysis',
  description:
    'Export all data of a person: as JSON (complete, and data.import reads it), Markdown (a map from path to text, notes as in an Obsidian vault; a list over several pages continues in tasks-2.md), CSV (one list) or iCalendar. Large exports come in pages: call again with next_cursor until there is none. Import the pages of JSON one by one, in order.',
  version: '2.0.0',
  aliases: ['tools.data.export'],
  input: z.object({
    format: z.enum(FORMATS).default('json'),
    family: z.enum(CSV_FAMILIES).default('tasks').describe('For CSV: which list.'),
    limit: z.int().min(1).max(5_000).default(2_000).describe('Rows a page.'),
    cursor: z.string().max(600).optional(),
  }),
  output: z.object({
    format: z.enum(FORMATS),
    media_type: z.string(),
    content: z.string().optional(),
    files: z.record(z.string(), z.string()).optional().describe('For Markdown: path to text.'),
    rows: z.int(),
    next_cursor: z.string().optional(),
    note: z.string(),
  }),
  contract: {
    effect: 'read',
    permissions: { roles: ['user'], capabilities: [{ name: 'data.export', scope: 'self_only' }] },
    securityLevel: 'confidential',
    audit: 'before-answer',
    timeout: '30s',
    limits: [
      { calls: 60, per: '1m' },
      { calls: 600, per: '1h' },
    ],
  },
  ports: { data: personalData },
  examples: [
    { name: 'everything', description: 'The first page of everything', input: {} },
    {
      name: 'spreadsheet',
      description: 'Habits for a spreadsheet',
      input: { format: 'csv', family: 'habits' },
    },
    {
      name: 'folder',
      description: 'Notes and lists as Markdown files',
      input: { format: 'markdown' },
    },
    {
      name: 'calendar',
      description: 'Tasks, habits and deep work for a calendar',
      input: { format: 'icalendar' },
    },
  ],
  execute: async (execution) => {
    const { format, family, limit, cursor } = execution.input
    const person = requireSelfScope(execution, 'data.export')
    const read = bindReader(execution)
    const families = format === 'csv' ? [family] : IN_FORMAT[format]
    const page = await readPage(read, person, { families, cursor, most: limit })
    const now = execution.now()
    const timeZone = await readTimeZone(execution.caller, read)
    return {
      format,
      media_type: MEDIA[format],
      ...writePage(page, { format, family, now, timeZone }),
      rows: page.rows.length,
      note: noteOf(page),
      ...(page.next === undefined ? {} : { next_cursor: page.next }),
    }
  },
})

type WriteOptions = {
  readonly format: Format
  readonly family: CsvFamily
  readonly now: number
  readonly timeZone: string
}

function writePage(
  page: Page,
  { format, family, now, timeZone }: WriteOptions,
): { readonly content: string } | { files: Record<string, string> } {
  switch (format) {
    case 'json':
      return { content: writeJson(page, new Date(now).toISOString()) }
    case 'markdown':
      return { files: writeMarkdown(page) }
    case 'csv':
      return { content: writeCsv(page, family) }
    case 'icalendar':
      return { content: writeCalendarPage(page, now, timeZone) }
  }
}

function writeCsv({ rows }: Page, family: CsvFamily): string {
  const columns = CSV_COLUMNS[family]
  return [
    csvLine(columns),
    ...rows.map(({ row }) => csvLine(columns.map((column) => row[column]))),
  ].join('')
}

function writeCalendarPage({ rows }: Page, now: number, timeZone: string): string {
  const of = (family: Family, isWanted: (row: Row) => boolean) =>
    rows
      .filter((one) => one.family === family && one.row.state !== 'deleted' && isWanted(one.row))
      .map(({ row }) => row)
  return writeFeed(
    {
      tasks: of('tasks', () => true),
      habits: of('habits', (row) => row.reminder_time != null),
      projects: of('projects', (row) => row.target_day != null),
      sessions: of('deep_work', () => true),
    },
    { timeZone, now, tasksAs: 'todos' },
  )
}

function noteOf({ rows, next }: Page): string {
  const count = `${rows.length} row${rows.length === 1 ? '' : 's'}`
  return next === undefined
    ? `${count}; nothing is left.`
    : `${count}; there is more: call again with next_cursor.`
}

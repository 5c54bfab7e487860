import type { Row } from '@surehand/core/internal'
import { baseName } from '../../knowledge/file-name.ts'
import { writeNote } from '../../knowledge/markdown-note.ts'
import { toNote } from '../../knowledge/note.ts'
import type { Family } from '../families.ts'
import type { Page } from './read-page.ts'

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
export function writeMarkdown({ rows, number, continues }: Page): Record<string, string> {
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

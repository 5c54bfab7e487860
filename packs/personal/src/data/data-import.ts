import { defineTool, transact } from '@surehand/core'
import { dayOf } from '@surehand/dates'
import { z } from 'zod'
import { requireSelfScope, type WriteExecution } from '../person.ts'
import { SYSTEM_SETTINGS } from '../system/system-settings.ts'
import { CSV_FAMILIES } from './export/csv-columns.ts'
import { importRows } from './import/apply-import.ts'
import type { ReadItems } from './import/import-item.ts'
import { filterPermitted } from './import/may-write-projects.ts'
import { readCalendarTasks } from './import/read-calendar-tasks.ts'
import { readJson } from './import/read-json.ts'
import { type RowDefaults, readSpreadsheet, readTaskList } from './import/read-lists.ts'

const MOST_BYTES = 8 * 1024 * 1024

const Input = z.object({
  format: z.enum(['json', 'csv', 'markdown', 'icalendar']),
  content: z
    .string()
    .min(1)
    .max(MOST_BYTES)
    .describe(
      'JSON of data.export, CSV with a line of column names, Markdown with lines "- [ ] …", or iCalendar.',
    ),
  family: z.enum(CSV_FAMILIES).default('tasks').describe('For CSV: the kind of its rows.'),
  dry_run: z
    .boolean()
    .default(true)
    .describe('Only report what would happen; false applies it, after approval.'),
})
type ImportInput = z.output<typeof Input>

const Problems = z.array(z.object({ place: z.string(), problem: z.string() }))

function readItems({ format, content, family }: ImportInput, usual: RowDefaults): ReadItems {
  switch (format) {
    case 'json':
      return readJson(content, usual)
    case 'csv':
      return readSpreadsheet(content, family, usual)
    case 'markdown':
      return readTaskList(content, usual)
    case 'icalendar':
      return readCalendarTasks(content, usual)
  }
}

const FORMAT_NAMES: Readonly<Record<ImportInput['format'], string>> = {
  json: 'an export of the personal manager',
  csv: 'a spreadsheet',
  markdown: 'a list of tasks in Markdown',
  icalendar: 'a calendar',
}

export const dataImport = defineTool({
  id: 'data.import',
  title: 'Import data',
  category: 'integration',
  description:
    'Import data of one person: their export, a spreadsheet, a Markdown task list or a calendar (whose to-dos and events become tasks). By default it only reports what it would do; with dry_run false it applies it, after approval. Existing data is never changed; each invalid line is reported and does not affect the others. Projects, their members and their log require the capability project.write.',
  version: '2.0.0',
  aliases: ['tools.data.import'],
  input: Input,
  output: z.object({
    applied: z.boolean(),
    added: z.record(z.string(), z.int()),
    added_total: z.int(),
    duplicates_total: z.int(),
    duplicates: Problems,
    problems_total: z.int(),
    problems: Problems,
  }),
  contract: {
    effect: 'writes.data',
    reversible: true,
    idempotency: 'caller',
    permissions: { roles: ['user'], capabilities: [{ name: 'data.import', scope: 'self_only' }] },
    // An import writes many rows at once, also of kinds that an agent may not write one by one.
    approval: {
      kind: 'confirm',
      when: ({ dry_run }) => !dry_run,
      asks: ({ format, content }) =>
        `Import ${FORMAT_NAMES[format]} (${content.length} characters)? Existing data stays as it is.`,
    },
    securityLevel: 'confidential',
    maxInputBytes: 2 * MOST_BYTES,
    timeout: '60s',
    limits: [
      { calls: 10, per: '1m' },
      { calls: 100, per: '1h' },
    ],
  },
  examples: [
    {
      name: 'task_list',
      description: 'Tasks from a Markdown list',
      input: {
        format: 'markdown',
        content: '- [ ] Call the plumber 📅 2026-02-01\n- [x] Buy seeds ✅ 2026-01-10\n',
        dry_run: false,
      },
    },
    {
      name: 'spreadsheet',
      description: 'Habits from a spreadsheet',
      input: {
        format: 'csv',
        family: 'habits',
        content: 'name,category,frequency\nStretch,health,daily\n',
        dry_run: false,
      },
    },
  ],
  transaction: transact(importRows, (execution: WriteExecution<ImportInput>) => {
    const { input, caller, now, newId } = execution
    const zone = caller.timeZone ?? 'UTC'
    return {
      ...requireSelfScope(execution, 'data.import'),
      now: now(),
      ...(caller.timeZone === undefined ? {} : { zone: caller.timeZone }),
      mode: input.dry_run ? ('preview' as const) : ('apply' as const),
      usualMost: SYSTEM_SETTINGS.import_max_items.initial,
      ...filterPermitted(
        readItems(input, { now: now(), today: dayOf(now(), zone), newId }),
        caller,
      ),
    }
  }),
})

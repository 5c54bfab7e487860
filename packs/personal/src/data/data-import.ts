import type { Caller } from '@surehand/core'
import { defineTool, ToolError, transact } from '@surehand/core'
import type { Grant } from '@surehand/core/internal'
import { isRecord } from '@surehand/core/internal'
import { dayOf } from '@surehand/dates'
import { z } from 'zod'
import { requireSelfScope, type WriteExecution } from '../person.ts'
import { SYSTEM_SETTINGS } from '../system/system-settings.ts'
import { CSV_FAMILIES } from './export/csv-columns.ts'
import { EXPORT_FORMAT, EXPORT_VERSION } from './export/write-json.ts'
import type { Family } from './families.ts'
import { FAMILIES } from './families.ts'
import { importRows } from './import/apply-import.ts'
import { checkRow } from './import/check-row.ts'
import type { When } from './import/complete-row.ts'
import type { ImportItem, ImportProblem, ReadItems } from './import/import-item.ts'
import {
  type RowDefaults,
  readCalendarTasks,
  readSpreadsheet,
  readTaskList,
} from './import/read-lists.ts'

const Export = z.object({
  format: z.literal(EXPORT_FORMAT),
  version: z.literal(EXPORT_VERSION),
  data: z.record(z.string(), z.array(z.unknown())),
})

/** Reads an export of data.export. */
export function readJson(text: string, when: When): ReadItems {
  const { data } = parseExport(text)
  const items: ImportItem[] = []
  const problems: ImportProblem[] = []
  for (const family of Object.keys(data))
    if (!FAMILIES.some((known) => known === family))
      problems.push({ place: family, problem: 'is not a known kind of data and is left out' })
  for (const family of FAMILIES) {
    for (const [index, row] of (data[family] ?? []).entries()) {
      const place = `${family}[${index}]`
      const checked = isRecord(row)
        ? checkRow(family, row, when)
        : ({ ok: false, problem: 'is no object' } as const)
      if (checked.ok) items.push({ family, place, row: checked.row, knownBy: 'id' })
      else problems.push({ place, problem: checked.problem })
    }
  }
  return { items, problems }
}

function parseExport(text: string): z.output<typeof Export> {
  const parsed = Export.safeParse(parseJson(text))
  if (parsed.success) return parsed.data
  throw new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    `This is not an export of data.export: it needs the format "${EXPORT_FORMAT}" and version ${EXPORT_VERSION}.`,
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ToolError('TOOL_INVALID_FIELD_VALUE', 'The content is not valid JSON.', { cause })
  }
}

const COVERING = ['project.write', 'project.*', '*']
// The roles that have it by document 004.
const ROLES = ['power_user', 'admin']
const OF_PROJECTS: readonly Family[] = ['projects', 'project_members', 'project_log']

/**
 * Whether the caller may write projects. The contract of an import covers only data.import, so this
 * capability is read from the caller, never more generously than project.create would: a capability
 * with a condition, or from an unknown role, does not count.
 */
export function mayWriteProjects({
  actor,
  roles,
  capabilities,
  delegated = [],
  scopes,
}: Caller): boolean {
  if (scopes !== undefined && !scopes.some(covers)) return false
  if (actor === 'ai_agent' && !delegated.some(covers)) return false
  return roles.some((role) => ROLES.includes(role)) || capabilities.some(isPlain)
}

function covers(name: string): boolean {
  return COVERING.includes(name)
}

function isPlain(held: string | Grant): boolean {
  if (typeof held === 'string') return covers(held)
  const reaches = held.scope === undefined || held.scope === 'owned'
  return covers(held.name) && reaches && held.conditions === undefined && held.when === undefined
}

/** The items that the caller may import; the rest is reported. */
function filterPermitted({ items, problems }: ReadItems, caller: Caller): ReadItems {
  if (mayWriteProjects(caller)) return { items, problems }
  const { theirs = [], refused = [] } = Object.groupBy(items, ({ family }) =>
    OF_PROJECTS.includes(family) ? 'refused' : 'theirs',
  )
  return {
    items: theirs,
    problems: [
      ...problems,
      ...refused.map(({ place }) => ({ place, problem: 'requires the capability project.write' })),
    ],
  }
}

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
      asks: ({ format, content }) => ({
        headline: `Import ${FORMAT_NAMES[format]} (${content.length} characters)?`,
        consequence: 'Existing data stays as it is.',
      }),
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

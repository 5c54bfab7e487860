import { defineTool, ToolError } from '@surehand/core'
import type { SqlValue } from '@surehand/core/internal'
import { PageCursor } from '@surehand/documents'
import { z } from 'zod'
import { nameKey } from '../name-key.ts'
import { personalData } from '../personal-data.ts'
import { openReadContext, type ReadContext } from '../read-context.ts'
import { contextKey } from './decision.ts'
import { dueKey, readDay } from './due.ts'
import { dueWithin } from './due-within.ts'
import { findProjectForTask } from './find-project.ts'
import { escapeLike } from './find-task.ts'
import { type Level, SELECT_TASKS, type Task, toTask } from './task.ts'
import { taskRead } from './task-contract.ts'
import { ContextField, DueField, LevelField, PersonField } from './task-fields.ts'
import { TASK_STATES, type TaskState } from './task-state.ts'
import { TaskView, taskView } from './task-view.ts'

export const taskList = defineTool({
  id: 'task.list',
  title: 'List tasks',
  category: 'task_management',
  description:
    'List the person’s own tasks, filtered and sorted, in pages. For what to do now, use task.next.',
  version: '2.0.0',
  aliases: ['tools.task.list'],
  input: z.object({
    state: z
      .enum([...TASK_STATES, 'open'])
      .default('open')
      .describe('"open" is every state except completed and deleted.'),
    project: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .describe('Name or partial name of a project.'),
    context: ContextField.optional(),
    tag: z.string().trim().min(1).max(50).optional(),
    priority: LevelField.optional(),
    energy: LevelField.optional(),
    due_until: DueField.optional().describe(
      'Only tasks due up to and including this day: "today" includes overdue tasks.',
    ),
    waiting_for: PersonField.optional().describe('Only tasks that wait for this person.'),
    text: z.string().trim().min(1).max(200).optional().describe('Words in the title.'),
    deferred: z
      .enum(['shown', 'hidden', 'only'])
      .default('shown')
      .describe('Tasks deferred to a later day.'),
    sort: z
      .enum(['due', 'created', 'completed'])
      .default('due')
      .describe(
        'Soonest due first; newest first; or completed tasks, latest first (`state` is then ignored).',
      ),
    limit: z.int().min(1).max(200).default(50),
    cursor: PageCursor.optional(),
  }),
  output: z.object({
    tasks: z.array(TaskView),
    next_cursor: z
      .string()
      .optional()
      .describe('The start of the next page; left out on the last one.'),
  }),
  contract: taskRead,
  ports: { data: personalData },
  examples: [
    { name: 'open tasks', input: {} },
    { name: 'what is due', input: { state: 'next_action', due_until: '2026-01-31', limit: 10 } },
  ],
  execute: async (execution) => {
    const own = await openReadContext(execution, 'task.read')
    const { tasks, cursor } = await listTasks(execution.input, own)
    return {
      tasks: tasks.map((task) => taskView(task, own.localTime)),
      ...(cursor === undefined ? {} : { next_cursor: cursor }),
    }
  },
})

type Filter = {
  readonly state: TaskState | 'open'
  readonly project?: string | undefined
  readonly context?: string | undefined
  readonly tag?: string | undefined
  readonly priority?: Level | undefined
  readonly energy?: Level | undefined
  readonly due_until?: string | undefined
  readonly waiting_for?: string | undefined
  readonly text?: string | undefined
  readonly deferred: 'shown' | 'hidden' | 'only'
  readonly sort: Sort
  readonly limit: number
  readonly cursor?: string | undefined
}

type Sort = 'due' | 'created' | 'completed'

type Condition = { readonly sql: string; readonly values: readonly SqlValue[] }

// Each column ends an index, so that a page reads only its own rows.
const ORDERS: Readonly<
  Record<
    Sort,
    {
      readonly column: string
      readonly direction: 'asc' | 'desc'
      readonly key: (task: Task) => string | number
    }
  >
> = {
  due: {
    column: 't.due_key',
    direction: 'asc',
    key: ({ due }) => dueKey(due),
  },
  created: { column: 't.created_at', direction: 'desc', key: ({ createdAt }) => createdAt },
  completed: {
    column: 't.completed_at',
    direction: 'desc',
    key: ({ completedAt }) => completedAt ?? 0,
  },
}

const OPEN = "t.state not in ('completed', 'deleted')"
// Not filtered by state alone: the database would use the index of states and sort all rows itself.
const COMPLETED = "t.completed_at is not null and t.state <> 'deleted'"

/** One page of a person's tasks. */
async function listTasks(
  filter: Filter,
  context: ReadContext,
): Promise<{ readonly tasks: readonly Task[]; readonly cursor: string | undefined }> {
  const { person, read } = context
  const { column, direction, key } = ORDERS[filter.sort]
  const parts = [...(await buildConditions(filter, context)), ...cursorCondition(filter)]
  const where = ['t.tenant = ?', 't.owner = ?', ...parts.map(({ sql }) => sql)].join(' and ')
  const sql = `${SELECT_TASKS} where ${where} order by ${column} ${direction}, t.id ${direction} limit ?`
  const rows = await read(
    sql,
    person.tenant,
    person.owner,
    ...parts.flatMap(({ values }) => values),
    filter.limit + 1,
  )
  const tasks = rows.slice(0, filter.limit).map(toTask)
  const last = tasks.at(-1)
  return {
    tasks,
    cursor:
      rows.length > filter.limit && last !== undefined
        ? toCursor(filter.sort, { key: key(last), id: last.id })
        : undefined,
  }
}

function cursorCondition({ cursor, sort }: Filter): readonly Condition[] {
  if (cursor === undefined) return []
  const { key, id } = fromCursor(sort, cursor)
  const { column, direction } = ORDERS[sort]
  return [{ sql: `(${column}, t.id) ${direction === 'asc' ? '>' : '<'} (?, ?)`, values: [key, id] }]
}

async function buildConditions(
  filter: Filter,
  { read, person, localTime }: ReadContext,
): Promise<readonly Condition[]> {
  const {
    state,
    project,
    context,
    tag,
    priority,
    energy,
    due_until,
    waiting_for,
    text,
    deferred,
    sort,
  } = filter
  const parts: Condition[] = [
    sort === 'completed'
      ? condition(COMPLETED)
      : state === 'open'
        ? condition(OPEN)
        : equals('t.state', state),
  ]
  if (project !== undefined)
    parts.push(equals('t.project_id', (await findProjectForTask(read, person, project)).id))
  if (context !== undefined) parts.push(equals('t.context', contextKey(context)))
  if (priority !== undefined) parts.push(equals('t.priority', priority))
  if (energy !== undefined) parts.push(equals('t.energy', energy))
  if (tag !== undefined)
    parts.push(contains('t.tags', JSON.stringify(nameKey(tag.replace(/^#/, '')))))
  if (text !== undefined) parts.push(contains('t.title_key', nameKey(text)))
  if (waiting_for !== undefined)
    parts.push(await waitingForCondition(waiting_for, { read, person }))
  if (due_until !== undefined)
    parts.push(dueWithin({ to: readDay(due_until, localTime, 'due_until') }, localTime.zone))
  if (deferred === 'hidden')
    parts.push({ sql: '(t.defer_until is null or t.defer_until <= ?)', values: [localTime.today] })
  if (deferred === 'only') parts.push({ sql: 't.defer_until > ?', values: [localTime.today] })
  return parts
}

const SELECT_AWAITED =
  'select distinct waiting_for from pm_tasks where tenant = ? and owner = ? and waiting_for is not null'

// SQL ignores case for ASCII only, or by the locale of the database: "Zoë" matches "ZOË" only when
// the names are compared here.
async function waitingForCondition(
  query: string,
  { read, person }: Pick<ReadContext, 'read' | 'person'>,
): Promise<Condition> {
  const awaited = (await read(SELECT_AWAITED, person.tenant, person.owner)).map((row) =>
    String(row.waiting_for),
  )
  const matching = awaited.filter((who) => nameKey(who).includes(nameKey(query)))
  return matching.length === 0
    ? condition('1 = 0')
    : { sql: `t.waiting_for in (${matching.map(() => '?').join(', ')})`, values: matching }
}

function condition(sql: string): Condition {
  return { sql, values: [] }
}

function equals(column: string, value: SqlValue): Condition {
  return { sql: `${column} = ?`, values: [value] }
}

function contains(column: string, text: string): Condition {
  return { sql: `${column} like ? escape '!'`, values: [`%${escapeLike(text)}%`] }
}

/** The position at which a page ended: the value of the sort column, and the id. */
type PagePosition = { readonly key: string | number; readonly id: string }

const Form = z.tuple([
  z.enum(['due', 'created', 'completed']),
  z.union([z.string().max(40), z.number()]),
  z.string().max(100),
])

function toCursor(sort: string, { key, id }: PagePosition): string {
  return Buffer.from(JSON.stringify([sort, key, id])).toString('base64url')
}

/** Refuses a cursor of another sort order, which would skip or repeat tasks. */
function fromCursor(sort: string, cursor: string): PagePosition {
  const parsed = Form.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString()))
  if (parsed.success && parsed.data[0] === sort) return { key: parsed.data[1], id: parsed.data[2] }
  throw new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    'The cursor is not valid for this list. Send next_cursor as it was returned, or leave it out to start at the first page.',
    {
      details: {
        validation_errors: [
          { field: 'cursor', error: 'is not a cursor of this list', provided_value: cursor },
        ],
      },
    },
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // Not a cursor of this list; the caller reports it.
  }
}

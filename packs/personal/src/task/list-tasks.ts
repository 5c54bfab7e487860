import type { SqlValue } from '@surehand/core/internal'
import { nameKey } from '../name-key.ts'
import { placeName } from './decision.ts'
import { dueKey, readDay } from './due.ts'
import { dueWithin } from './due-within.ts'
import { projectFor } from './find-project.ts'
import { escaped } from './find-task.ts'
import { fromCursor, toCursor } from './list-cursor.ts'
import type { Opened } from './opening.ts'
import { type Level, SELECT_TASKS, type Task, taskOf } from './task.ts'
import type { TaskState } from './task-state.ts'

export type Filter = {
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

export type Sort = 'due' | 'created' | 'completed'

type Part = { readonly sql: string; readonly values: readonly SqlValue[] }

// each has an index that ends in it: a page reads its own rows and no more
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
// not by its state: that would be found by the state's index and put in order by hand
const COMPLETED = "t.completed_at is not null and t.state <> 'deleted'"

/** One page of somebody's tasks. */
export async function listTasks(
  filter: Filter,
  opened: Opened,
): Promise<{ readonly tasks: readonly Task[]; readonly cursor: string | undefined }> {
  const { person, read } = opened
  const { column, direction, key } = ORDERS[filter.sort]
  const parts = [...(await partsOf(filter, opened)), ...after(filter)]
  const where = ['t.tenant = ?', 't.owner = ?', ...parts.map(({ sql }) => sql)].join(' and ')
  const sql = `${SELECT_TASKS} where ${where} order by ${column} ${direction}, t.id ${direction} limit ?`
  const rows = await read(
    sql,
    person.tenant,
    person.owner,
    ...parts.flatMap(({ values }) => values),
    filter.limit + 1,
  )
  const tasks = rows.slice(0, filter.limit).map(taskOf)
  const last = tasks.at(-1)
  return {
    tasks,
    cursor:
      rows.length > filter.limit && last !== undefined
        ? toCursor(filter.sort, { key: key(last), id: last.id })
        : undefined,
  }
}

function after({ cursor, sort }: Filter): readonly Part[] {
  if (cursor === undefined) return []
  const { key, id } = fromCursor(sort, cursor)
  const { column, direction } = ORDERS[sort]
  return [{ sql: `(${column}, t.id) ${direction === 'asc' ? '>' : '<'} (?, ?)`, values: [key, id] }]
}

async function partsOf(filter: Filter, { read, person, here }: Opened): Promise<readonly Part[]> {
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
  const parts: Part[] = [
    sort === 'completed' ? plain(COMPLETED) : state === 'open' ? plain(OPEN) : is('t.state', state),
  ]
  if (project !== undefined)
    parts.push(is('t.project_id', (await projectFor(read, person, project)).id))
  if (context !== undefined) parts.push(is('t.context', placeName(context)))
  if (priority !== undefined) parts.push(is('t.priority', priority))
  if (energy !== undefined) parts.push(is('t.energy', energy))
  if (tag !== undefined) parts.push(holds('t.tags', JSON.stringify(nameKey(tag.replace(/^#/, '')))))
  if (text !== undefined) parts.push(holds('t.title_key', nameKey(text)))
  if (waiting_for !== undefined) parts.push(await waitsFor(waiting_for, { read, person }))
  if (due_until !== undefined)
    parts.push(dueWithin({ to: readDay(due_until, here, 'due_until') }, here.zone))
  if (deferred === 'hidden')
    parts.push({ sql: '(t.defer_until is null or t.defer_until <= ?)', values: [here.today] })
  if (deferred === 'only') parts.push({ sql: 't.defer_until > ?', values: [here.today] })
  return parts
}

const SELECT_AWAITED =
  'select distinct waiting_for from pm_tasks where tenant = ? and owner = ? and waiting_for is not null'

// a database folds the case of ASCII alone, or of what its locale knows: "Zoë" is found as "ZOË" only where we compare ourselves
async function waitsFor(
  said: string,
  { read, person }: Pick<Opened, 'read' | 'person'>,
): Promise<Part> {
  const awaited = (await read(SELECT_AWAITED, person.tenant, person.owner)).map((row) =>
    String(row.waiting_for),
  )
  const meant = awaited.filter((who) => nameKey(who).includes(nameKey(said)))
  return meant.length === 0
    ? plain('1 = 0')
    : { sql: `t.waiting_for in (${meant.map(() => '?').join(', ')})`, values: meant }
}

function plain(sql: string): Part {
  return { sql, values: [] }
}

function is(column: string, value: SqlValue): Part {
  return { sql: `${column} = ?`, values: [value] }
}

function holds(column: string, text: string): Part {
  return { sql: `${column} like ? escape '!'`, values: [`%${escaped(text)}%`] }
}

import type { SqlValue } from '@surehand/core/internal'
import { addDays, type Day, dayOfWeek, startOfDay } from '@surehand/dates'
import type { ReadContext } from '../read-context.ts'
import { dueWithin } from '../task/due-within.ts'
import { SELECT_TASKS, type Task, toTask } from '../task/task.ts'
import { addUp, type Range, readSessions, type Totals } from './deep-work-totals.ts'

export type ReviewKind = 'daily' | 'weekly'

/** The day under which a review is stored: that of a week is its Monday. */
export function reviewKeyDay(kind: ReviewKind, day: Day): Day {
  return kind === 'daily' ? day : addDays(day, 1 - dayOfWeek(day))
}

/** The first tasks, and how many there are in total. */
export type TaskSelection = { readonly count: number; readonly tasks: readonly Task[] }

/** The facts of a review. */
export type ReviewFacts = {
  readonly completed: TaskSelection
  readonly capturedCount: number
  /** Due in these days and not completed in time. */
  readonly slipped: TaskSelection
  /** At the current time. */
  readonly overdue: TaskSelection
  readonly inboxCount: number
  readonly waiting: TaskSelection
  readonly stuckProjects: readonly string[]
  readonly deepWork: Totals
}

const MOST_LISTED = 50
// Written exactly as in the partial index of open tasks, so that the index is used.
const OPEN = "t.state not in ('completed', 'deleted') and t.state <> 'reference'"
// A day is overdue when it has ended in the person's zone; an instant is the same everywhere.
const OVER = '(t.due_at is null and t.due_day < ? or t.due_at < ?)'

export async function readReviewFacts(context: ReadContext, range: Range): Promise<ReviewFacts> {
  const [start, end] = instantsOf(range, context)
  const { today, now } = context.localTime
  return {
    completed: await readSomeTasks(
      context,
      "t.state = 'completed' and t.completed_at >= ? and t.completed_at < ?",
      [start, end],
      't.completed_at',
    ),
    capturedCount: await countTasks(context, 't.created_at >= ? and t.created_at < ?', [
      start,
      end,
    ]),
    slipped: await readSlippedTasks(context, range),
    overdue: await readSomeTasks(
      context,
      `${OPEN} and t.due_key < ? and ${OVER}`,
      [addDays(today, 3), today, now],
      't.due_key',
    ),
    inboxCount: await countTasks(context, "t.state = 'inbox'", []),
    waiting: await readSomeTasks(context, "t.state = 'waiting_for'", [], 't.waiting_since'),
    stuckProjects: await readStuckProjects(context),
    deepWork: addUp(await readSessions(context, range), range, context.localTime),
  }
}

function instantsOf(
  { from, to }: Range,
  { localTime: { zone } }: ReadContext,
): readonly [number, number] {
  return [startOfDay(from, zone), startOfDay(addDays(to, 1), zone)]
}

// Due in these days and overdue by now: still open, or completed only later.
async function readSlippedTasks(context: ReadContext, range: Range): Promise<TaskSelection> {
  const { today, now } = context.localTime
  const within = dueWithin(range, context.localTime.zone)
  const open = await readSomeTasks(
    context,
    `${OPEN} and ${within.sql} and ${OVER}`,
    [...within.values, today, now],
    't.due_key',
  )
  const [, end] = instantsOf(range, context)
  const done = `t.state = 'completed' and t.completed_at >= ? and ${within.sql}`
  const late = await readSomeTasks(context, done, [end, ...within.values], 't.due_key')
  return {
    count: open.count + late.count,
    tasks: [...open.tasks, ...late.tasks].slice(0, MOST_LISTED),
  }
}

/** The open tasks that are due on a day. */
export async function readDueTasks(context: ReadContext, day: Day): Promise<TaskSelection> {
  const { sql, values } = dueWithin({ from: day, to: day }, context.localTime.zone)
  return readSomeTasks(context, `${OPEN} and ${sql}`, values, 't.due_key')
}

/** The completed tasks and minutes of deep work in some days. */
export async function readReviewNumbers(
  context: ReadContext,
  range: Range,
): Promise<{ readonly completed: number; readonly minutes: number }> {
  const completed = await countTasks(
    context,
    "t.state = 'completed' and t.completed_at >= ? and t.completed_at < ?",
    instantsOf(range, context),
  )
  return {
    completed,
    minutes: addUp(await readSessions(context, range), range, context.localTime).minutes,
  }
}

async function readSomeTasks(
  context: ReadContext,
  where: string,
  values: readonly SqlValue[],
  order: string,
): Promise<TaskSelection> {
  const sql = `${SELECT_TASKS} where t.tenant = ? and t.owner = ? and ${where} order by ${order}, t.id limit ${MOST_LISTED}`
  const rows = await context.read(sql, context.person.tenant, context.person.owner, ...values)
  const tasks = rows.map(toTask)
  return {
    tasks,
    count: tasks.length < MOST_LISTED ? tasks.length : await countTasks(context, where, values),
  }
}

async function countTasks(
  { read, person }: ReadContext,
  where: string,
  values: readonly SqlValue[],
): Promise<number> {
  const [row] = await read(
    `select count(*) as n from pm_tasks t where t.tenant = ? and t.owner = ? and ${where}`,
    person.tenant,
    person.owner,
    ...values,
  )
  return Number(row?.n ?? 0)
}

const STUCK = `select p.name from pm_projects p where p.tenant = ? and p.owner = ? and p.state = 'active' and not exists
  (select 1 from pm_tasks t where t.tenant = p.tenant and t.project_id = p.id and t.state = 'next_action') order by p.name_key limit ${MOST_LISTED}`

async function readStuckProjects({ read, person }: ReadContext): Promise<readonly string[]> {
  return (await read(STUCK, person.tenant, person.owner)).map(({ name }) => String(name))
}

const NOTES = 'select body from pm_reviews where tenant = ? and owner = ? and kind = ? and day = ?'

/** The person's own words about the day or week. */
export async function readReviewNotes(
  { read, person }: ReadContext,
  kind: 'daily' | 'weekly',
  day: Day,
): Promise<string | undefined> {
  const [row] = await read(NOTES, person.tenant, person.owner, kind, day)
  return row === undefined
    ? undefined
    : (JSON.parse(String(row.body)) as { readonly notes: string }).notes
}

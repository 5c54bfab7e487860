import type { SqlValue } from '@surehand/core/internal'
import { addDays, type Day, dayOfWeek, startOfDay } from '@surehand/dates'
import type { ReadContext } from '../read-context.ts'
import { dueWithin } from '../task/due-within.ts'
import { SELECT_TASKS, type Task, taskOf } from '../task/task.ts'
import { type Range, sessionsIn, type Totals, totalsOf } from './deep-work-totals.ts'

export type ReviewKind = 'daily' | 'weekly'

/** The day a review is kept under: a week's is its Monday. */
export function reviewDay(kind: ReviewKind, day: Day): Day {
  return kind === 'daily' ? day : addDays(day, 1 - dayOfWeek(day))
}

/** Some of them, and how many there are. */
export type Some = { readonly count: number; readonly tasks: readonly Task[] }

/** What the rows say of some days. */
export type ReviewFacts = {
  readonly completed: Some
  readonly capturedCount: number
  /** Due in these days and not done in time. */
  readonly slipped: Some
  /** As of now. */
  readonly overdue: Some
  readonly inboxCount: number
  readonly waiting: Some
  readonly stuckProjects: readonly string[]
  readonly deepWork: Totals
}

const MOST_TOLD = 50
// the index of what is open is asked for in its own words
const OPEN = "t.state not in ('completed', 'deleted') and t.state <> 'reference'"
// a day is over when it is over here; an instant is the same everywhere
const OVER = '(t.due_at is null and t.due_day < ? or t.due_at < ?)'

export async function reviewFacts(context: ReadContext, range: Range): Promise<ReviewFacts> {
  const [start, end] = boundsOf(range, context)
  const { today, now } = context.localTime
  return {
    completed: await some(
      context,
      "t.state = 'completed' and t.completed_at >= ? and t.completed_at < ?",
      [start, end],
      't.completed_at',
    ),
    capturedCount: await count(context, 't.created_at >= ? and t.created_at < ?', [start, end]),
    slipped: await slipped(context, range),
    overdue: await some(
      context,
      `${OPEN} and t.due_key < ? and ${OVER}`,
      [addDays(today, 3), today, now],
      't.due_key',
    ),
    inboxCount: await count(context, "t.state = 'inbox'", []),
    waiting: await some(context, "t.state = 'waiting_for'", [], 't.waiting_since'),
    stuckProjects: await stuckProjects(context),
    deepWork: totalsOf(await sessionsIn(context, range), range, context.localTime),
  }
}

function boundsOf(
  { from, to }: Range,
  { localTime: { zone } }: ReadContext,
): readonly [number, number] {
  return [startOfDay(from, zone), startOfDay(addDays(to, 1), zone)]
}

// due in these days and over by now: still open, or completed only after them
async function slipped(context: ReadContext, range: Range): Promise<Some> {
  const { today, now } = context.localTime
  const within = dueWithin(range, context.localTime.zone)
  const open = await some(
    context,
    `${OPEN} and ${within.sql} and ${OVER}`,
    [...within.values, today, now],
    't.due_key',
  )
  const [, end] = boundsOf(range, context)
  const done = `t.state = 'completed' and t.completed_at >= ? and ${within.sql}`
  const late = await some(context, done, [end, ...within.values], 't.due_key')
  return {
    count: open.count + late.count,
    tasks: [...open.tasks, ...late.tasks].slice(0, MOST_TOLD),
  }
}

/** What is due on one day and not done. */
export async function dueOn(context: ReadContext, day: Day): Promise<Some> {
  const { sql, values } = dueWithin({ from: day, to: day }, context.localTime.zone)
  return some(context, `${OPEN} and ${sql}`, values, 't.due_key')
}

/** How much was completed and worked in some days. */
export async function reviewNumbers(
  context: ReadContext,
  range: Range,
): Promise<{ readonly completed: number; readonly minutes: number }> {
  const completed = await count(
    context,
    "t.state = 'completed' and t.completed_at >= ? and t.completed_at < ?",
    boundsOf(range, context),
  )
  return {
    completed,
    minutes: totalsOf(await sessionsIn(context, range), range, context.localTime).minutes,
  }
}

async function some(
  context: ReadContext,
  where: string,
  values: readonly SqlValue[],
  order: string,
): Promise<Some> {
  const sql = `${SELECT_TASKS} where t.tenant = ? and t.owner = ? and ${where} order by ${order}, t.id limit ${MOST_TOLD}`
  const rows = await context.read(sql, context.person.tenant, context.person.owner, ...values)
  const tasks = rows.map(taskOf)
  return {
    tasks,
    count: tasks.length < MOST_TOLD ? tasks.length : await count(context, where, values),
  }
}

async function count(
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
  (select 1 from pm_tasks t where t.tenant = p.tenant and t.project_id = p.id and t.state = 'next_action') order by p.name_key limit ${MOST_TOLD}`

async function stuckProjects({ read, person }: ReadContext): Promise<readonly string[]> {
  return (await read(STUCK, person.tenant, person.owner)).map(({ name }) => String(name))
}

const NOTES = 'select body from pm_reviews where tenant = ? and owner = ? and kind = ? and day = ?'

/** What the person wrote about it. */
export async function reviewNotes(
  { read, person }: ReadContext,
  kind: 'daily' | 'weekly',
  day: Day,
): Promise<string | undefined> {
  const [row] = await read(NOTES, person.tenant, person.owner, kind, day)
  return row === undefined
    ? undefined
    : (JSON.parse(String(row.body)) as { readonly notes: string }).notes
}

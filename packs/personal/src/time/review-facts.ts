import type { SqlValue } from '@surehand/core/internal'
import { addDays, type Day, startOfDay } from '@surehand/dates'
import { dueWithin } from '../task/due-within.ts'
import type { Opened } from '../task/opening.ts'
import { SELECT_TASKS, type Task, taskOf } from '../task/task.ts'
import { type Range, type Totals, totalsOf } from './deep-work-totals.ts'
import { sessionsIn } from './read-sessions.ts'

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

export async function reviewFacts(own: Opened, range: Range): Promise<ReviewFacts> {
  const [start, end] = boundsOf(range, own)
  const { today, now } = own.here
  return {
    completed: await some(
      own,
      "t.state = 'completed' and t.completed_at >= ? and t.completed_at < ?",
      [start, end],
      't.completed_at',
    ),
    capturedCount: await count(own, 't.created_at >= ? and t.created_at < ?', [start, end]),
    slipped: await slipped(own, range),
    overdue: await some(
      own,
      `${OPEN} and t.due_key < ? and ${OVER}`,
      [addDays(today, 3), today, now],
      't.due_key',
    ),
    inboxCount: await count(own, "t.state = 'inbox'", []),
    waiting: await some(own, "t.state = 'waiting_for'", [], 't.waiting_since'),
    stuckProjects: await stuckProjects(own),
    deepWork: totalsOf(await sessionsIn(own, range), range, own.here),
  }
}

function boundsOf({ from, to }: Range, { here: { zone } }: Opened): readonly [number, number] {
  return [startOfDay(from, zone), startOfDay(addDays(to, 1), zone)]
}

// due in these days and over by now: still open, or completed only after them
async function slipped(own: Opened, range: Range): Promise<Some> {
  const { today, now } = own.here
  const within = dueWithin(range, own.here.zone)
  const open = await some(
    own,
    `${OPEN} and ${within.sql} and ${OVER}`,
    [...within.values, today, now],
    't.due_key',
  )
  const [, end] = boundsOf(range, own)
  const done = `t.state = 'completed' and t.completed_at >= ? and ${within.sql}`
  const late = await some(own, done, [end, ...within.values], 't.due_key')
  return {
    count: open.count + late.count,
    tasks: [...open.tasks, ...late.tasks].slice(0, MOST_TOLD),
  }
}

/** What is due on one day and not done. */
export async function dueOn(own: Opened, day: Day): Promise<Some> {
  const { sql, values } = dueWithin({ from: day, to: day }, own.here.zone)
  return some(own, `${OPEN} and ${sql}`, values, 't.due_key')
}

/** How much was completed and worked in some days. */
export async function reviewNumbers(
  own: Opened,
  range: Range,
): Promise<{ readonly completed: number; readonly minutes: number }> {
  const completed = await count(
    own,
    "t.state = 'completed' and t.completed_at >= ? and t.completed_at < ?",
    boundsOf(range, own),
  )
  return { completed, minutes: totalsOf(await sessionsIn(own, range), range, own.here).minutes }
}

async function some(
  own: Opened,
  where: string,
  values: readonly SqlValue[],
  order: string,
): Promise<Some> {
  const sql = `${SELECT_TASKS} where t.tenant = ? and t.owner = ? and ${where} order by ${order}, t.id limit ${MOST_TOLD}`
  const rows = await own.read(sql, own.person.tenant, own.person.owner, ...values)
  const tasks = rows.map(taskOf)
  return { tasks, count: tasks.length < MOST_TOLD ? tasks.length : await count(own, where, values) }
}

async function count(
  { read, person }: Opened,
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

async function stuckProjects({ read, person }: Opened): Promise<readonly string[]> {
  return (await read(STUCK, person.tenant, person.owner)).map(({ name }) => String(name))
}

const NOTES = 'select body from pm_reviews where tenant = ? and owner = ? and kind = ? and day = ?'

/** What the person wrote about it. */
export async function reviewNotes(
  { read, person }: Opened,
  kind: 'daily' | 'weekly',
  day: Day,
): Promise<string | undefined> {
  const [row] = await read(NOTES, person.tenant, person.owner, kind, day)
  return row === undefined
    ? undefined
    : (JSON.parse(String(row.body)) as { readonly notes: string }).notes
}

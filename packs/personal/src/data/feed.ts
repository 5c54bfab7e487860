import type { Row } from '@surehand/core/internal'
import { addDays } from '@surehand/dates'
import { type CalendarItem, type CalendarTime, writeCalendar } from '@surehand/icalendar'
import type { Person } from '../person.ts'
import type { Reader } from '../personal-data.ts'

/** The rows of a feed. */
type FeedRows = {
  readonly tasks: readonly Row[]
  readonly habits: readonly Row[]
  readonly projects: readonly Row[]
  readonly sessions: readonly Row[]
}

type FeedOptions = {
  readonly timeZone: string
  readonly now: number
  /** Few calendar programs show a subscribed VTODO; all of them show an event. */
  readonly tasksAs: 'events' | 'todos'
  readonly name?: string
}

export const MOST_FEED_ITEMS = 2_000
const PROD_ID = '-//Surehand//personal//EN'
const THEIRS = 'tenant = ? and owner = ?'
const TASKS = `select * from pm_tasks where ${THEIRS} and state not in ('completed', 'deleted', 'reference') and due_day is not null
  order by due_key, id limit ${MOST_FEED_ITEMS}`
const HABITS = `select * from pm_habits where ${THEIRS} and state = 'active' and reminder_time is not null order by name_key limit 500`
const PROJECTS = `select * from pm_projects where ${THEIRS} and state in ('active', 'on_hold') and target_day is not null
  order by target_day limit 500`

/** Reads the rows of a person's feed. Sessions of deep work are only part of an export. */
export async function readFeedRows(read: Reader, { tenant, owner }: Person): Promise<FeedRows> {
  const [tasks, habits, projects] = [
    await read(TASKS, tenant, owner),
    await read(HABITS, tenant, owner),
    await read(PROJECTS, tenant, owner),
  ]
  return { tasks, habits, projects, sessions: [] }
}

/**
 * Writes tasks, habits with their reminders and target days of projects as an iCalendar text. The
 * output is deterministic.
 */
export function writeFeed(
  { tasks, habits, projects, sessions }: FeedRows,
  options: FeedOptions,
): string {
  const items = [
    ...tasks.map((row) => taskItem(row, options)),
    ...habits.map((row) => habitItem(row, options)),
    ...projects.map(projectItem),
    ...sessions.flatMap((row) => sessionItem(row)),
  ]
  const text = writeCalendar(items, {
    prodId: PROD_ID,
    name: options.name ?? 'Surehand',
    now: options.now,
  })
  return withAlarms(text, new Set(habits.map((row) => uidOf('habit', row))))
}

function uidOf(kind: 'task' | 'habit' | 'project' | 'session', { id }: Row): string {
  return `${kind}-${id}@surehand`
}

const PRIORITY: Readonly<Record<string, number>> = { high: 1, medium: 5, low: 9 }

function taskItem(row: Row, { timeZone, tasksAs }: FeedOptions): CalendarItem {
  const due = dueTime(row, timeZone)
  const common = {
    uid: uidOf('task', row),
    summary: String(row.title),
    ...stamps(row),
    ...description(row.notes),
  }
  if (tasksAs === 'events' && due !== undefined)
    return {
      kind: 'event',
      ...common,
      start: due,
      ...(due.kind === 'date' ? { end: dayAfter(due.date) } : {}),
    }
  const isDone = row.completed_at != null
  return {
    kind: 'task',
    ...common,
    ...(due === undefined ? {} : { due }),
    status: isDone ? 'completed' : 'needs-action',
    ...(isDone ? { completed: instant(row.completed_at) } : {}),
    priority: PRIORITY[String(row.priority)] ?? 0,
  }
}

function dueTime(row: Row, timeZone: string): CalendarTime | undefined {
  if (row.due_day == null) return undefined
  if (row.due_time == null) return { kind: 'date', date: String(row.due_day) }
  return {
    kind: 'zoned',
    local: `${row.due_day}T${row.due_time}:00`,
    timeZone: String(row.due_zone ?? timeZone),
  }
}

const FREQUENCY: Readonly<Record<string, string>> = {
  daily: 'DAILY',
  weekly: 'WEEKLY',
  monthly: 'MONTHLY',
}

// A reminder is a wall-clock time in the person's current zone, so it moves with them.
function habitItem(row: Row, { timeZone }: FeedOptions): CalendarItem {
  return {
    kind: 'event',
    uid: uidOf('habit', row),
    summary: String(row.name),
    ...stamps(row),
    ...description(row.routine ?? row.description),
    start: { kind: 'zoned', local: `${row.started_on}T${row.reminder_time}:00`, timeZone },
    recurrence: {
      rules: [`FREQ=${FREQUENCY[String(row.frequency)] ?? 'DAILY'}`],
      additions: [],
      exceptions: [],
    },
  }
}

function projectItem(row: Row): CalendarItem {
  const date = String(row.target_day)
  const summary = `${row.name}: target`
  return {
    kind: 'event',
    uid: uidOf('project', row),
    summary,
    ...stamps(row),
    start: { kind: 'date', date },
    end: dayAfter(date),
  }
}

function sessionItem(row: Row): readonly CalendarItem[] {
  if (row.stopped_at == null) return []
  const at = (value: Row[string] | undefined): CalendarTime => ({
    kind: 'zoned',
    local: instant(value).slice(0, 19),
    timeZone: 'UTC',
  })
  const common = {
    uid: uidOf('session', row),
    summary: `Deep work: ${row.subject}`,
    ...description(row.note),
  }
  return [{ kind: 'event', ...common, start: at(row.started_at), end: at(row.stopped_at) }]
}

function dayAfter(date: string): CalendarTime {
  return { kind: 'date', date: addDays(date, 1) }
}

function stamps({ created_at, updated_at }: Row): {
  readonly created: string
  readonly updated: string
} {
  return { created: instant(created_at), updated: instant(updated_at) }
}

function description(text: Row[string] | undefined): { readonly description?: string } {
  return text == null ? {} : { description: String(text) }
}

function instant(at: Row[string] | undefined): string {
  return new Date(Number(at)).toISOString()
}

/**
 * Adds an alarm to the start of the events with these ids. `writeCalendar` never folds a line
 * inside `UID:`.
 */
function withAlarms(text: string, uids: ReadonlySet<string>): string {
  return text
    .split(/(?<=END:VEVENT\r\n)/)
    .map((part) => {
      const [, uid = ''] = /\r\nUID:((?:[^\r]|\r\n[ \t])*)\r\n(?![ \t])/.exec(part) ?? []
      return uids.has(uid.replace(/\r\n[ \t]/g, ''))
        ? part.replace(/END:VEVENT\r\n$/, `${ALARM}END:VEVENT\r\n`)
        : part
    })
    .join('')
}

const ALARM = [
  'BEGIN:VALARM',
  'ACTION:DISPLAY',
  'DESCRIPTION:Reminder',
  'TRIGGER:PT0S',
  'END:VALARM',
  '',
].join('\r\n')

import type { Caller, Outcome } from '@surehand/core'
import { z } from 'zod'
import type { App } from '../app.ts'

const Task = z.object({
  id: z.string(),
  title: z.string(),
  overdue: z.boolean(),
  priority: z.string().optional(),
  context: z.string().optional(),
  due: z
    .object({ day: z.string(), time: z.string().optional(), at: z.string().optional() })
    .optional(),
})
export type ShownTask = z.infer<typeof Task>

const Tasks = z.object({ tasks: z.array(Task) })
const Next = z.object({ actions: z.array(z.object({ task: Task, reason: z.string() })) })
const Habits = z.object({
  date: z.string(),
  time_zone: z.string(),
  due: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      reminder_time: z.string().optional(),
      current_streak: z.number(),
      streak_unit: z.string(),
    }),
  ),
  done: z.array(z.object({ name: z.string() })),
})
const Work = z.object({
  by_day: z.array(z.object({ day: z.string(), minutes: z.number() })),
  goal_minutes_a_day: z.number(),
  running: z.object({ subject: z.string(), minutes: z.number() }).optional(),
})
const Entries = z.object({
  events: z.array(
    z.object({
      summary: z.string(),
      start: z.object({ dateTime: z.string() }),
      end: z.object({ dateTime: z.string() }),
      location: z.string().optional(),
    }),
  ),
})
export type ShownEntry = z.infer<typeof Entries>['events'][number]

/** A part of the page; undefined where its pack is missing or the person has no right to it. */
type Part<T> = T | 'unreadable' | undefined

export type Day = {
  readonly date: string
  readonly timeZone: string
  readonly due: Part<readonly ShownTask[]>
  readonly next: Part<readonly ShownTask[]>
  readonly habits: Part<z.infer<typeof Habits>>
  readonly work: Part<z.infer<typeof Work>>
  readonly entries: Part<readonly ShownEntry[]>
  /** The tools that this person may use now. */
  readonly can: (tool: string) => boolean
}

/** What a person has before them today, read with their own rights. */
export async function readDay(app: App, caller: Caller, now: number): Promise<Day> {
  const visible = new Set((await app.runtime.visibleTools(caller)).map(({ id }) => id))
  const can = (tool: string): boolean => visible.has(tool)
  const read = partReader(app, can)
  const habits = await read(Habits, 'habit.today_plan', {}, caller)
  const timeZone =
    habits === undefined || habits === 'unreadable' ? zoneOf(caller) : habits.time_zone
  const date = habits === undefined || habits === 'unreadable' ? dateIn(now, timeZone) : habits.date
  const here = { ...caller, timeZone }
  const [due, next, work, entries] = await Promise.all([
    read(Tasks, 'task.list', { due_until: 'today', limit: 50 }, here),
    read(Next, 'task.next', { limit: 5 }, here),
    read(Work, 'time.deep_work_report', {}, here),
    readEntries(app, here, { from: date, days: 1 }),
  ])
  const dueTasks = mapPart(due, ({ tasks }) => tasks)
  const isDue = new Set(Array.isArray(dueTasks) ? dueTasks.map(({ id }) => id) : [])
  return {
    date,
    timeZone,
    habits,
    work,
    entries,
    due: dueTasks,
    next: mapPart(next, ({ actions }) =>
      actions.map(({ task }) => task).filter(({ id }) => !isDue.has(id)),
    ),
    can,
  }
}

/** The entries of the person's calendar on these days, in the order in which they begin. */
export async function readEntries(
  app: App,
  caller: Caller,
  { from, days }: { readonly from: string; readonly days: number },
): Promise<Part<readonly ShownEntry[]>> {
  const visible = new Set((await app.runtime.visibleTools(caller)).map(({ id }) => id))
  const input = { calendarId: 'primary', timeMin: from, timeMax: addDays(from, days) }
  const read = await partReader(app, (tool) => visible.has(tool))(
    Entries,
    'calendar.read',
    input,
    caller,
  )
  return mapPart(read, ({ events }) =>
    events.toSorted((one, other) => startOf(one) - startOf(other)),
  )
}

const startOf = ({ start: { dateTime } }: ShownEntry): number => Date.parse(dateTime)

function partReader(app: App, can: (tool: string) => boolean) {
  return async <T>(
    schema: z.ZodType<T>,
    tool: string,
    input: object,
    caller: Caller,
  ): Promise<Part<T>> => {
    if (!can(tool)) return undefined
    const outcome: Outcome = await app.runtime.call({ tool, input, caller, surface: 'page' })
    // An answer of a fallback is empty because nothing could be read, not because nothing is there.
    return outcome.status === 'done' && outcome.source !== 'fallback'
      ? schema.parse(outcome.data)
      : 'unreadable'
  }
}

function mapPart<T extends object, U>(part: Part<T>, map: (value: T) => U): Part<U> {
  if (part === undefined) return undefined
  return part === 'unreadable' ? 'unreadable' : map(part)
}

export function zoneOf({ timeZone }: Caller): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: timeZone ?? 'UTC' }).resolvedOptions().timeZone
  } catch {
    return 'UTC'
  }
}

/** The calendar day of an instant in a zone. */
export function dateIn(ms: number, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone }).format(ms)
}

/** HH:MM of an instant in a zone. */
export function timeIn(ms: number, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
  }).format(ms)
}

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

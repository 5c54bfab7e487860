import { defineTool, ToolError } from '@surehand/core'
import { addDays, atTime, type Day, instantText, startOfDay, timeOf } from '@surehand/dates'
import { z } from 'zod'
import { readDueHabits } from '../habit/due-habits.ts'
import type { LocalTime } from '../local-time.ts'
import { personalData } from '../personal-data.ts'
import { openReadContext, type ReadContext } from '../read-context.ts'
import { readPreferences } from '../system/preferences.ts'
import { dueDay, readDay } from '../task/due.ts'
import { dueWithin } from '../task/due-within.ts'
import { rankNextActions } from '../task/next-actions.ts'
import { scoreTask } from '../task/score-task.ts'
import { LEVELS, type Level, optionalField, SELECT_TASKS, type Task, toTask } from '../task/task.ts'
import { DueField } from '../task/task-fields.ts'
import { addUp, type HourTotal, readSessions } from './deep-work-totals.ts'
import { type Block, type Plan, type PlanItem, planBlocks } from './plan-blocks.ts'
import { ownRights, timeRead } from './time-contract.ts'

const WallTime = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'must be a time such as 09:00' })

export const planDay = defineTool({
  id: 'time.plan_day',
  title: 'Plan a day',
  category: 'time_management',
  description:
    'Plan a day: blocks for due tasks, the best next actions, habits and breaks, within the person’s working hours and by their usual energy. It does not know the person’s calendar, and changes nothing.',
  version: '2.0.0',
  aliases: ['tools.time.plan_day'],
  input: z.object({
    day: DueField.optional().describe(
      'The day: "today", "tomorrow", "2026-01-16". Today by default.',
    ),
    work_start: WallTime.optional().describe(
      'The start of the working hours; by default the preference work_start.',
    ),
    work_end: WallTime.optional().describe(
      'The end of the working hours; by default the preference work_end.',
    ),
  }),
  output: z.object({
    day: z.iso.date(),
    time_zone: z.string(),
    work_start: z.string(),
    work_end: z.string(),
    energy_from: z.enum(['your sessions', 'the usual day']),
    blocks: z.array(
      z.object({
        start: z.iso.datetime({ offset: true }),
        end: z.iso.datetime({ offset: true }),
        time: z.string().describe('HH:MM–HH:MM in the person’s time zone.'),
        kind: z.enum(['task', 'habit', 'break']),
        title: z.string(),
        id: z.string().optional().describe('Of the task or habit.'),
        energy: z.enum(LEVELS).describe('The usual energy at that time.'),
        why: z.string(),
      }),
    ),
    not_placed: z.array(
      z.object({ title: z.string(), kind: z.enum(['task', 'habit']), why: z.string() }),
    ),
    planned_minutes: z.int(),
    message: z.string(),
  }),
  contract: { ...timeRead, permissions: ownRights('time.read', 'task.read', 'habit.read') },
  ports: { data: personalData },
  examples: [
    { name: 'today', input: {} },
    { name: 'a short day', input: { day: '2026-01-16', work_start: '10:00', work_end: '13:00' } },
  ],
  execute: async (execution) => {
    const context = await openReadContext(execution, 'time.read', 'task.read', 'habit.read')
    const { localTime } = context
    const day =
      execution.input.day === undefined
        ? localTime.today
        : readDay(execution.input.day, localTime, 'day')
    const preferences = await readPreferences(execution.caller, context.read)
    const hours = {
      start: execution.input.work_start ?? String(preferences.work_start.value),
      end: execution.input.work_end ?? String(preferences.work_end.value),
    }
    if (hours.start >= hours.end) throw emptyDayError(hours)
    const curve = await readEnergyCurve(context)
    const energyAt = (at: number) =>
      curve.levels[Number(timeOf(at, localTime.zone).slice(0, 2))] ?? 'medium'
    const start = Math.max(atTime(day, hours.start, localTime.zone), localTime.now)
    const plan = planBlocks(await collectPlanItems(context, day), {
      start,
      end: atTime(day, hours.end, localTime.zone),
      energyAt,
    })
    return {
      day,
      time_zone: localTime.zone,
      work_start: hours.start,
      work_end: hours.end,
      energy_from: curve.from,
      ...describePlan(plan, localTime, energyAt),
    }
  },
})

function describePlan(
  { blocks, unplaced }: Plan,
  localTime: LocalTime,
  energyAt: (at: number) => (typeof LEVELS)[number],
) {
  const tasks = blocks.filter(({ kind }) => kind === 'task').length
  const habits = blocks.filter(({ kind }) => kind === 'habit').length
  return {
    blocks: blocks.map((block) => ({
      start: instantText(block.start, localTime.zone),
      end: instantText(block.end, localTime.zone),
      time: `${timeOf(block.start, localTime.zone)}–${timeOf(block.end, localTime.zone)}`,
      energy: energyAt(block.start),
      kind: block.kind,
      ...(block.kind === 'break'
        ? { title: 'Break' }
        : { title: block.wish.title, id: block.wish.id }),
      why: explainBlock(block, localTime),
    })),
    not_placed: unplaced.map(({ wish: { title, kind }, why }) => ({ title, kind, why })),
    planned_minutes: blocks
      .filter(({ kind }) => kind !== 'break')
      .reduce((sum, { start, end }) => sum + (end - start) / 60_000, 0),
    message: `${tasks} ${tasks === 1 ? 'task' : 'tasks'} and ${habits} ${habits === 1 ? 'habit' : 'habits'} are planned${unplaced.length === 0 ? '.' : `; ${unplaced.length} due ${unplaced.length === 1 ? 'item does' : 'items do'} not fit.`}`,
  }
}

function explainBlock(block: Block, localTime: LocalTime): string {
  if (block.kind === 'break') return 'after an hour and a half of work'
  const { at, deadline, isDue }: PlanItem = block.wish
  if (at !== undefined) return `its time is ${timeOf(at, localTime.zone)}`
  if (deadline !== undefined && block.end > deadline)
    return `it was due at ${timeOf(deadline, localTime.zone)}: it will be late`
  if (deadline !== undefined) return `it is due at ${timeOf(deadline, localTime.zone)}`
  return isDue ? 'it is due' : 'it is the best use of the energy at that hour'
}

function emptyDayError({
  start,
  end,
}: {
  readonly start: string
  readonly end: string
}): ToolError {
  return new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    `There is no time between ${start} and ${end}. Give the start and end of the working hours.`,
    {
      details: {
        validation_errors: [
          { field: 'work_end', error: `must be after ${start}`, provided_value: end },
        ],
      },
    },
  )
}

/** The usual energy by hour of the day. */
type EnergyCurve = {
  readonly levels: readonly Level[]
  readonly from: 'your sessions' | 'the usual day'
}

const LOOKED_AT_DAYS = 60

// An hour with fewer minutes of deep work is not measured yet.
const TELLING_MINUTES = 60

// A typical day: best before noon, worst after lunch.
const USUAL: readonly Level[] = Array.from({ length: 24 }, (_, hour) => {
  if (hour >= 8 && hour < 12) return 'high'
  return (hour >= 6 && hour < 8) || hour === 12 || (hour >= 15 && hour < 18) ? 'medium' : 'low'
})

/**
 * The measured level where there is enough deep work in that hour; the typical day for the rest.
 */
function buildEnergyCurve(byHour: readonly HourTotal[]): EnergyCurve {
  const levels = USUAL.map((usual, hour) => measuredLevel(byHour[hour]) ?? usual)
  return {
    levels,
    from: byHour.some((total) => measuredLevel(total) !== undefined)
      ? 'your sessions'
      : 'the usual day',
  }
}

function measuredLevel(total: HourTotal | undefined): Level | undefined {
  if (total?.focus === undefined || total.minutes < TELLING_MINUTES) return undefined
  return total.focus >= 4 ? 'high' : total.focus >= 2.5 ? 'medium' : 'low'
}

async function readEnergyCurve(context: ReadContext): Promise<EnergyCurve> {
  const range = {
    from: addDays(context.localTime.today, -LOOKED_AT_DAYS),
    to: context.localTime.today,
  }
  return buildEnergyCurve(
    addUp(await readSessions(context, range), range, context.localTime).byHour,
  )
}

// A day has room for a few dozen items, so the best of these are the best of all.
const MOST_TASKS = 100

const MOST_HABITS = 50

const USUAL_TASK_MINUTES = 30

const USUAL_HABIT_MINUTES = 15

/**
 * Everything to be placed in a day: due tasks, other next actions, and habits that are not done.
 */
async function collectPlanItems(context: ReadContext, day: Day): Promise<readonly PlanItem[]> {
  // As seen on the morning of that day, so that a task due on that day is due "today".
  const localTime: LocalTime =
    day === context.localTime.today
      ? context.localTime
      : { now: startOfDay(day, context.localTime.zone), zone: context.localTime.zone, today: day }
  const at = { ...context, localTime }
  const ranked = await rankNextActions(at, { localTime })
  const tasks = new Map(
    [...(await readDueTasks(at)), ...ranked.map(({ task }) => task)].map((task) => [task.id, task]),
  )
  const due = await readDueHabits(context.read, context.person, {
    day,
    localTime: context.localTime,
  })
  return [
    ...[...tasks.values()].slice(0, MOST_TASKS).map((task) => toTaskItem(task, localTime)),
    ...due
      .filter(({ doneOn }) => doneOn === undefined)
      .slice(0, MOST_HABITS)
      .map(({ habit, daysLeft, remindAt }): PlanItem => {
        const worth = daysLeft === 0 ? 6 : 3
        return {
          id: habit.id,
          kind: 'habit',
          title: habit.name,
          minutes: habit.targetDuration ?? USUAL_HABIT_MINUTES,
          isDue: daysLeft === 0,
          worth: { high: worth, medium: worth, low: worth },
          ...optionalField('at', remindAt),
        }
      }),
  ]
}

// A due task counts even while it is still in the inbox.
const DUE = `${SELECT_TASKS} where t.tenant = ? and t.owner = ? and t.state in ('inbox', 'next_action')
  and (t.defer_until is null or t.defer_until <= ?)`

async function readDueTasks({ read, person, localTime }: ReadContext): Promise<readonly Task[]> {
  const { sql, values } = dueWithin({ to: localTime.today }, localTime.zone)
  const sooner = `order by t.due_key, t.id limit ${MOST_TASKS}`
  return (
    await read(
      `${DUE} and ${sql} ${sooner}`,
      person.tenant,
      person.owner,
      localTime.today,
      ...values,
    )
  ).map(toTask)
}

function toTaskItem(task: Task, localTime: LocalTime): PlanItem {
  const worth = Object.fromEntries(
    LEVELS.map((energy) => [energy, scoreTask(task, { localTime, energy }).total_score]),
  )
  const isDue = task.due !== undefined && dueDay(task.due, localTime.zone) <= localTime.today
  return {
    id: task.id,
    kind: 'task',
    title: task.title,
    minutes: task.minutes ?? USUAL_TASK_MINUTES,
    isDue,
    // Erased: every level is among the entries.
    worth: worth as Record<Level, number>,
    ...optionalField('deadline', isDue ? task.due?.at : undefined),
  }
}

import { defineTool, ToolError } from '@surehand/core'
import { atTime, instantText, timeOf } from '@surehand/dates'
import { z } from 'zod'
import { personalData } from '../personal-data.ts'
import { preferencesOf } from '../system/preferences.ts'
import { readDay } from '../task/due.ts'
import type { Here } from '../task/here.ts'
import { opened } from '../task/opening.ts'
import { LEVELS } from '../task/task.ts'
import { DueField } from '../task/task-fields.ts'
import { energyCurve } from './energy-curve.ts'
import { type Block, type Plan, planBlocks, type Wish } from './plan-blocks.ts'
import { wishesFor } from './plan-wishes.ts'
import { ownRights, timeRead } from './time-contract.ts'

const WallTime = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'must be a time such as 09:00' })

export const planDay = defineTool({
  id: 'time.plan_day',
  title: 'Plan a day',
  category: 'time_management',
  description:
    'A plan for a day: blocks for what is due, the best next actions, today’s habits and breaks, within the person’s working hours and by the energy they usually have. It knows no calendar and changes nothing.',
  version: '2.0.0',
  aliases: ['tools.time.plan_day'],
  input: z.object({
    day: DueField.optional().describe(
      'Which day: "today", "tomorrow", "2026-01-16". Today where it is left out.',
    ),
    work_start: WallTime.optional().describe(
      'When it begins; the preference work_start where it is left out.',
    ),
    work_end: WallTime.optional().describe(
      'When it ends; the preference work_end where it is left out.',
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
        time: z.string().describe('HH:MM–HH:MM on the person’s wall.'),
        kind: z.enum(['task', 'habit', 'break']),
        title: z.string(),
        id: z.string().optional().describe('Of the task or habit.'),
        energy: z.enum(LEVELS).describe('What there usually is then.'),
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
    const own = await opened(execution, 'time.read', 'task.read', 'habit.read')
    const { here } = own
    const day =
      execution.input.day === undefined ? here.today : readDay(execution.input.day, here, 'day')
    const preferences = await preferencesOf(execution.caller, own.read)
    const hours = {
      start: execution.input.work_start ?? String(preferences.work_start.value),
      end: execution.input.work_end ?? String(preferences.work_end.value),
    }
    if (hours.start >= hours.end) throw noHours(hours)
    const curve = await energyCurve(own)
    const energyAt = (at: number) =>
      curve.levels[Number(timeOf(at, here.zone).slice(0, 2))] ?? 'medium'
    const start = Math.max(atTime(day, hours.start, here.zone), here.now)
    const plan = planBlocks(await wishesFor(own, day), {
      start,
      end: atTime(day, hours.end, here.zone),
      energyAt,
    })
    return {
      day,
      time_zone: here.zone,
      work_start: hours.start,
      work_end: hours.end,
      energy_from: curve.from,
      ...told(plan, here, energyAt),
    }
  },
})

function told(
  { blocks, unplaced }: Plan,
  here: Here,
  energyAt: (at: number) => (typeof LEVELS)[number],
) {
  const tasks = blocks.filter(({ kind }) => kind === 'task').length
  const habits = blocks.filter(({ kind }) => kind === 'habit').length
  return {
    blocks: blocks.map((block) => ({
      start: instantText(block.start, here.zone),
      end: instantText(block.end, here.zone),
      time: `${timeOf(block.start, here.zone)}–${timeOf(block.end, here.zone)}`,
      energy: energyAt(block.start),
      kind: block.kind,
      ...(block.kind === 'break'
        ? { title: 'Break' }
        : { title: block.wish.title, id: block.wish.id }),
      why: whyThen(block, here),
    })),
    not_placed: unplaced.map(({ wish: { title, kind }, why }) => ({ title, kind, why })),
    planned_minutes: blocks
      .filter(({ kind }) => kind !== 'break')
      .reduce((sum, { start, end }) => sum + (end - start) / 60_000, 0),
    message: `${tasks} ${tasks === 1 ? 'task' : 'tasks'} and ${habits} ${habits === 1 ? 'habit' : 'habits'} are planned${unplaced.length === 0 ? '.' : `; ${unplaced.length} that are due have no place.`}`,
  }
}

function whyThen(block: Block, here: Here): string {
  if (block.kind === 'break') return 'after an hour and a half of work'
  const { at, deadline, isDue }: Wish = block.wish
  if (at !== undefined) return `its time is ${timeOf(at, here.zone)}`
  if (deadline !== undefined && block.end > deadline)
    return `it was due at ${timeOf(deadline, here.zone)}: it will be late`
  if (deadline !== undefined) return `it is due at ${timeOf(deadline, here.zone)}`
  return isDue ? 'it is due' : 'it is worth most with the energy of that hour'
}

function noHours({ start, end }: { readonly start: string; readonly end: string }): ToolError {
  return new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    `There is no time between ${start} and ${end}: say when work begins and ends.`,
    {
      details: {
        validation_errors: [
          { field: 'work_end', error: `must be after ${start}`, provided_value: end },
        ],
      },
    },
  )
}

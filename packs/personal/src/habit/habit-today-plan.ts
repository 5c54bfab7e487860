import { defineTool } from '@surehand/core'
import { z } from 'zod'
import type { LocalTime } from '../local-time.ts'
import { personalData } from '../personal-data.ts'
import { type DueHabit, formatReminder, isLate, readDueHabits } from './due-habits.ts'
import { openHabits } from './habit-context.ts'
import { streakWords } from './habit-view.ts'
import { unitOf } from './period.ts'
import { habitPermissions } from './permissions.ts'
import { readDay } from './read-day.ts'
import { CivilDay } from './shapes.ts'

const PlannedHabit = z.object({
  id: z.string(),
  name: z.string(),
  category: z.string(),
  frequency: z.string(),
  difficulty: z.string(),
  reminder_time: z.string().optional(),
  is_late: z.boolean().describe('The reminder time has passed'),
  target_duration: z.int().optional(),
  cue: z.string().optional(),
  routine: z.string().optional(),
  current_streak: z.int(),
  streak_unit: z.enum(['days', 'weeks', 'months']),
  due_until: CivilDay.describe('The last day on which it still counts'),
  reason: z.string(),
})
type Planned = z.input<typeof PlannedHabit>

export const habitTodayPlan = defineTool({
  id: 'habit.today_plan',
  title: "Plan Today's Habits",
  category: 'habit_management',
  version: '2.0.0',
  author: 'PersonalManager Core Team',
  aliases: ['tools.habit.today_plan'],
  description:
    "List the habits of a day, today by default: those still to be done, ordered by reminder and by the streaks at risk, and those that are done. Weekly and monthly habits are due until they are done in their week or month. It is also the list of today's reminders.",
  input: z.object({
    date: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('A day: 2026-01-15, tomorrow, next Monday. Today when left out'),
    limit: z
      .int()
      .min(1)
      .max(200)
      .default(100)
      .describe('The maximum length of each list; the summary counts all'),
  }),
  output: z.object({
    date: CivilDay,
    time_zone: z.string(),
    due: z.array(PlannedHabit),
    done: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        completed_on: CivilDay,
        current_streak: z.int(),
      }),
    ),
    summary: z.object({
      due: z.int(),
      done: z.int(),
      minutes_planned: z.int(),
      streaks_at_risk: z.int(),
    }),
    message: z.string(),
  }),
  contract: {
    effect: 'read',
    permissions: habitPermissions('read'),
    securityLevel: 'internal',
    limits: [
      { calls: 60, per: '1m' },
      { calls: 1000, per: '1h' },
    ],
  },
  ports: { data: personalData },
  examples: [
    { name: 'today', description: 'What is due today', input: {} },
    {
      name: 'a_day',
      description: 'What is due on another day',
      input: { date: '2026-01-20', limit: 20 },
    },
  ],
  async execute(execution) {
    const { read, person, localTime } = await openHabits(execution)
    const { limit } = execution.input
    const day = readDay(execution.input.date, localTime, 'future')
    const all = await readDueHabits(read, person, { day, localTime })
    const due = all.filter(({ doneOn }) => doneOn === undefined)
    const done = all.flatMap(({ habit: { id, name }, doneOn, streak }) =>
      doneOn === undefined ? [] : [{ id, name, completed_on: doneOn, current_streak: streak }],
    )
    const summary = {
      due: due.length,
      done: done.length,
      minutes_planned: due.reduce((sum, { habit }) => sum + (habit.targetDuration ?? 0), 0),
      streaks_at_risk: due.filter(({ streak, until }) => streak > 0 && until === localTime.today)
        .length,
    }
    return {
      date: day,
      time_zone: localTime.zone,
      due: due.slice(0, limit).map((one) => planHabit(one, localTime)),
      done: done.slice(0, limit),
      summary,
      message: describePlan(day, due, summary),
    }
  },
})

function planHabit(due: DueHabit, localTime: LocalTime): Planned {
  const { habit, streak } = due
  const reminder = formatReminder(due, localTime.zone)
  return {
    id: habit.id,
    name: habit.name,
    category: habit.category,
    frequency: habit.frequency,
    difficulty: habit.difficulty,
    ...(reminder === undefined ? {} : { reminder_time: reminder }),
    is_late: isLate(due, localTime.now),
    ...(habit.targetDuration === null ? {} : { target_duration: habit.targetDuration }),
    ...(habit.cue === null ? {} : { cue: habit.cue }),
    ...(habit.routine === null ? {} : { routine: habit.routine }),
    current_streak: streak,
    streak_unit: unitOf(habit.frequency),
    due_until: due.until,
    reason: explainDue(due),
  }
}

function explainDue({ habit, streak, daysLeft, until }: DueHabit): string {
  const when = daysLeft === 0 ? 'the last day for it' : `due until ${until}`
  if (streak === 0)
    return habit.frequency === 'daily'
      ? 'A new streak begins with it.'
      : `A new streak begins with it; ${when}.`
  const words = streakWords(streak, unitOf(habit.frequency))
  return daysLeft === 0 ? `A streak of ${words} ends without it.` : `A streak of ${words}; ${when}.`
}

function describePlan(
  day: string,
  due: readonly DueHabit[],
  summary: { readonly due: number; readonly done: number },
): string {
  if (summary.due + summary.done === 0)
    return `No habits are planned for ${day}. To start one, call habit.create.`
  if (summary.due === 0) return `All ${summary.done} habits are done for ${day}.`
  const names = due.slice(0, 5).map(({ habit }) => habit.name)
  const more = due.length > names.length ? ` and ${due.length - names.length} more` : ''
  return `${summary.due} to do on ${day}: ${names.join(', ')}${more}. ${summary.done} done.`
}

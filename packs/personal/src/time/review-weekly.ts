import { defineTool, ToolError } from '@surehand/core'
import { addDays, type Day, dayOfWeek, isDay } from '@surehand/dates'
import { z } from 'zod'
import type { LocalTime } from '../local-time.ts'
import { personalData } from '../personal-data.ts'
import { openReadContext } from '../read-context.ts'
import { readPreferences } from '../system/preferences.ts'
import { readDay } from '../task/due.ts'
import { optionalField } from '../task/task.ts'
import { barChart, Chart } from './chart.ts'
import { weekName } from './deep-work-totals.ts'
import {
  readReviewFacts,
  readReviewNotes,
  readReviewNumbers,
  reviewKeyDay,
} from './review-facts.ts'
import { readHabitReviews } from './review-habits.ts'
import { reviewSentences, weekSentences } from './review-sentences.ts'
import { factsView, reviewFields, SomeTasks, selectionView } from './review-view.ts'
import { ownRights, timeRead } from './time-contract.ts'

export const reviewWeekly = defineTool({
  id: 'time.review_weekly',
  title: 'Review a week',
  category: 'time_management',
  description:
    'Review an ISO week, Monday to Sunday in the person’s time zone: completed tasks, habits with streaks, deep work, tasks that slipped, projects without a next action, tasks that wait for others, the inbox, and a comparison with the week before.',
  version: '2.0.0',
  aliases: ['tools.time.review_weekly'],
  input: z.object({
    week: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .describe(
        'The week as "2026-W03", or any day of it: "last Friday". The current week by default.',
      ),
  }),
  output: z.object({
    week: z.string(),
    from: z.iso.date(),
    to: z.iso.date(),
    ...reviewFields,
    waiting: SomeTasks,
    projects_without_next_action: z.array(z.string()),
    week_before: z.object({ completed_count: z.int(), deep_work_minutes: z.int() }),
    charts: z.array(Chart),
  }),
  contract: {
    ...timeRead,
    permissions: ownRights('time.read', 'task.read', 'habit.read', 'project.read'),
  },
  ports: { data: personalData },
  examples: [
    { name: 'this week', input: {} },
    { name: 'a week by its number', input: { week: '2026-W02' } },
  ],
  execute: async (execution) => {
    const context = await openReadContext(
      execution,
      'time.read',
      'task.read',
      'habit.read',
      'project.read',
    )
    const from = parseMonday(execution.input.week, context.localTime)
    const range = { from, to: addDays(from, 6) }
    const facts = await readReviewFacts(context, range)
    const habits = await readHabitReviews(context, range)
    const before = await readReviewNumbers(context, {
      from: addDays(from, -7),
      to: addDays(from, -1),
    })
    const goalMinutes = Number(
      (await readPreferences(execution.caller, context.read)).deep_work_goal_minutes.value,
    )
    const change = {
      completed: facts.completed.count - before.completed,
      minutes: facts.deepWork.minutes - before.minutes,
    }
    return {
      week: weekName(from),
      ...range,
      ...factsView(facts, context.localTime, goalMinutes * 7),
      habits: [...habits],
      waiting: selectionView(facts.waiting, context.localTime),
      projects_without_next_action: [...facts.stuckProjects],
      week_before: { completed_count: before.completed, deep_work_minutes: before.minutes },
      charts: [
        barChart(
          { id: 'deep_work', title: 'Deep work a day', unit: 'minutes' },
          facts.deepWork.byDay,
        ),
      ],
      sentences: [
        ...reviewSentences({ facts, habits, goalMinutes, days: 7 }),
        ...weekSentences(facts, change),
      ],
      ...optionalField('notes', await readReviewNotes(context, 'weekly', from)),
    }
  },
})

const ISO_WEEK = /^(\d{4})-?W(\d{2})$/i

function parseMonday(text: string | undefined, localTime: LocalTime): Day {
  if (text === undefined) return reviewKeyDay('weekly', localTime.today)
  const [, year, week] = ISO_WEEK.exec(text) ?? []
  if (year === undefined) return reviewKeyDay('weekly', readDay(text, localTime, 'week'))
  // By ISO 8601, 4 January is always in the first week.
  const first = `${year}-01-04`
  const monday = addDays(first, 1 - dayOfWeek(first) + (Number(week) - 1) * 7)
  if (isDay(monday) && weekName(monday) === `${year}-W${week}`) return monday
  throw new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    `There is no week ${week} in ${year}. Give a week between the years 1900 and 2200.`,
    {
      details: {
        validation_errors: [
          { field: 'week', error: 'is not a week of that year', provided_value: text },
        ],
      },
    },
  )
}

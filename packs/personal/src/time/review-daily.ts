import { defineTool } from '@surehand/core'
import { addDays } from '@surehand/dates'
import { z } from 'zod'
import { personalData } from '../personal-data.ts'
import { openReadContext } from '../read-context.ts'
import { readPreferences } from '../system/preferences.ts'
import { readDay } from '../task/due.ts'
import { optionalField } from '../task/task.ts'
import { DueField } from '../task/task-fields.ts'
import { readDueTasks, readReviewFacts, readReviewNotes } from './review-facts.ts'
import { readHabitReviews } from './review-habits.ts'
import { reviewSentences } from './review-sentences.ts'
import { factsView, reviewFields, SomeTasks, selectionView } from './review-view.ts'
import { ownRights, timeRead } from './time-contract.ts'

export const reviewDaily = defineTool({
  id: 'time.review_daily',
  title: 'Review a day',
  category: 'time_management',
  description:
    'Review a day: completed tasks, habits done and missed, deep work, tasks that slipped or are overdue, and what is due the next day. Computed from the person’s data; their own words are stored with time.review_note.',
  version: '2.0.0',
  aliases: ['tools.time.review_daily'],
  input: z.object({
    day: DueField.optional().describe('The day: "yesterday", "2026-01-14". Today by default.'),
  }),
  output: z.object({ day: z.iso.date(), ...reviewFields, due_next_day: SomeTasks }),
  contract: { ...timeRead, permissions: ownRights('time.read', 'task.read', 'habit.read') },
  ports: { data: personalData },
  examples: [
    { name: 'today', input: {} },
    { name: 'another day', input: { day: '2026-01-14' } },
  ],
  execute: async (execution) => {
    const context = await openReadContext(execution, 'time.read', 'task.read', 'habit.read')
    const day =
      execution.input.day === undefined
        ? context.localTime.today
        : readDay(execution.input.day, context.localTime, 'day')
    const range = { from: day, to: day }
    const facts = await readReviewFacts(context, range)
    const habits = await readHabitReviews(context, range)
    const goalMinutes = Number(
      (await readPreferences(execution.caller, context.read)).deep_work_goal_minutes.value,
    )
    return {
      day,
      ...factsView(facts, context.localTime, goalMinutes),
      habits: [...habits],
      due_next_day: selectionView(await readDueTasks(context, addDays(day, 1)), context.localTime),
      sentences: [...reviewSentences({ facts, habits, goalMinutes, days: 1 })],
      ...optionalField('notes', await readReviewNotes(context, 'daily', day)),
    }
  },
})

import { z } from 'zod'
import type { LocalTime } from '../local-time.ts'
import { optionalField } from '../task/task.ts'
import { TaskView, taskView } from '../task/task-view.ts'
import type { ReviewFacts, TaskSelection } from './review-facts.ts'
import { HabitReview } from './review-habits.ts'

export const SomeTasks = z.object({
  count: z.int(),
  tasks: z.array(TaskView).describe('At most fifty of them.'),
})

/** The fields that both reviews share. */
export const reviewFields = {
  time_zone: z.string(),
  completed: SomeTasks,
  captured_count: z.int().describe('How many tasks were created.'),
  slipped: SomeTasks.describe('Due in this period and not completed in it.'),
  overdue: SomeTasks.describe('Overdue now.'),
  inbox_count: z.int(),
  habits: z.array(HabitReview),
  deep_work: z.object({
    minutes: z.int(),
    session_count: z.int(),
    average_focus: z.number().optional(),
    goal_minutes: z.int().describe('For all of these days.'),
  }),
  notes: z.string().optional().describe('The person’s own words, stored with time.review_note.'),
  sentences: z.array(z.string()),
}

export function factsView(facts: ReviewFacts, localTime: LocalTime, goalMinutes: number) {
  const { completed, capturedCount, slipped, overdue, inboxCount, deepWork } = facts
  return {
    time_zone: localTime.zone,
    completed: selectionView(completed, localTime),
    captured_count: capturedCount,
    slipped: selectionView(slipped, localTime),
    overdue: selectionView(overdue, localTime),
    inbox_count: inboxCount,
    deep_work: {
      minutes: deepWork.minutes,
      session_count: deepWork.sessions.length,
      goal_minutes: goalMinutes,
      ...optionalField('average_focus', deepWork.focus),
    },
  }
}

export function selectionView(
  { count, tasks }: TaskSelection,
  localTime: LocalTime,
): z.infer<typeof SomeTasks> {
  return { count, tasks: tasks.map((task) => taskView(task, localTime)) }
}

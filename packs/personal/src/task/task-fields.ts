import { z } from 'zod'
import { LEVELS } from './task.ts'
import { TASK_STATES } from './task-state.ts'
import { TaskView } from './task-view.ts'

export const TaskNamed = z
  .string()
  .trim()
  .min(1)
  .max(300)
  .describe('The title of the task, a unique part of it, or its id.')
export const LevelField = z.enum(LEVELS)
export const ContextField = z
  .string()
  .trim()
  .min(1)
  .max(50)
  .describe('Where or with what it can be done: "phone", "home", "computer".')
export const MinutesField = z.int().min(1).max(1440).describe('How many minutes it takes.')
export const DueField = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .describe(
    'When it is due, in words or as a date: "tomorrow", "Friday 5pm", "2026-05-01 14:00". Times are in your own time zone.',
  )
export const NotesField = z.string().trim().min(1).max(4000)
export const PersonField = z.string().trim().min(1).max(200)
const TagsField = z.array(z.string().trim().min(1).max(50)).max(20)

/** The fields that a decision about a task can set. */
export const decisionFields = {
  title: z
    .string()
    .trim()
    .min(1)
    .max(300)
    .optional()
    .describe('A clearer title; the best ones begin with a verb.'),
  notes: NotesField.optional(),
  priority: LevelField.optional(),
  energy: LevelField.optional().describe('How much energy it takes.'),
  context: ContextField.nullable().optional(),
  minutes: MinutesField.optional(),
  tags: TagsField.optional().describe('The new list of tags.'),
  due: DueField.nullable().optional(),
  project: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .nullable()
    .optional()
    .describe('The name of its project; null removes it from its project.'),
  waiting_for: PersonField.optional().describe(
    'The person or thing it waits for; required for waiting_for.',
  ),
}

/** The answer of every change of a task. */
export const ChangedTask = z.object({
  task: TaskView,
  from: z.enum(TASK_STATES).describe('The previous state.'),
  message: z.string(),
})

import { instantText } from '@surehand/dates'
import { z } from 'zod'
import type { LocalTime } from '../local-time.ts'
import { isOverdue } from './due.ts'
import { LEVELS, optionalField, type Task } from './task.ts'
import { TASK_STATES } from './task-state.ts'

const DueView = z.object({
  day: z.iso.date().describe('The calendar day.'),
  time: z
    .string()
    .optional()
    .describe('HH:MM in `time_zone`; without it the task is due on the whole day.'),
  time_zone: z.string().optional(),
  at: z.iso.datetime({ offset: true }).optional().describe('The instant, when there is a time.'),
})

/** A task in the output. */
export const TaskView = z.object({
  id: z.string(),
  title: z.string(),
  state: z.enum(TASK_STATES),
  priority: z.enum(LEVELS).optional(),
  energy: z.enum(LEVELS).optional(),
  context: z.string().optional(),
  minutes: z.int().optional(),
  tags: z.array(z.string()),
  due: DueView.optional(),
  overdue: z.boolean(),
  repeats: z
    .string()
    .optional()
    .describe('The rule of iCalendar by which it comes again when it is completed.'),
  deferred_until: z.iso.date().optional(),
  project: z.string().optional(),
  waiting_for: z.string().optional(),
  waiting_since: z.iso.date().optional(),
  created_at: z.iso.datetime({ offset: true }),
  completed_at: z.iso.datetime({ offset: true }).optional(),
})
export type TaskView = z.infer<typeof TaskView>

export function taskView(task: Task, localTime: LocalTime): TaskView {
  const isOpen =
    task.state !== 'completed' && task.state !== 'deleted' && task.state !== 'reference'
  return {
    id: task.id,
    title: task.title,
    state: task.state,
    tags: [...task.tags],
    overdue: isOpen && isOverdue(task.due, localTime),
    created_at: instantText(task.createdAt, localTime.zone),
    ...optionalField('priority', task.priority),
    ...optionalField('energy', task.energy),
    ...optionalField('context', task.context),
    ...optionalField('minutes', task.minutes),
    ...optionalField('due', dueView(task)),
    ...optionalField('repeats', task.repeats),
    ...optionalField('deferred_until', task.deferUntil),
    ...optionalField('project', task.project?.name),
    ...optionalField('waiting_for', task.waitingFor),
    ...optionalField('waiting_since', task.waitingSince),
    ...optionalField(
      'completed_at',
      task.completedAt === undefined ? undefined : instantText(task.completedAt, localTime.zone),
    ),
  }
}

function dueView({ due }: Task): z.infer<typeof DueView> | undefined {
  if (due === undefined || due.time === undefined) return due
  return { day: due.day, time: due.time, time_zone: due.zone, at: instantText(due.at, due.zone) }
}

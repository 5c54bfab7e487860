import { defineTool, transact } from '@surehand/core'
import { z } from 'zod'
import { taskWrite } from './task-contract.ts'
import { decisionFields, LevelField, TaskNamed } from './task-fields.ts'
import { CLARIFIED_STATES, TASK_STATES } from './task-state.ts'
import { TaskView } from './task-view.ts'
import { type Organizing, organizeTasks } from './writes/organize-tasks.ts'
import { type Acting, writingDates } from './writing.ts'

export const taskOrganize = defineTool({
  id: 'task.organize',
  title: 'Organize the inbox',
  category: 'task_management',
  description:
    'Go through the inbox. Without decisions it proposes what each thing probably is, with the reason, and changes nothing. With decisions it applies exactly those, all or none. Show the proposals to the person before you send decisions.',
  version: '2.0.0',
  aliases: ['tools.task.organize'],
  input: z.object({
    decisions: z
      .array(z.object({ task: TaskNamed, to: z.enum(CLARIFIED_STATES), ...decisionFields }))
      .min(1)
      .max(50)
      .optional()
      .describe('What the person decided, for each task. Deleting is task.delete.'),
    limit: z
      .int()
      .min(1)
      .max(200)
      .default(20)
      .describe('How many proposals at most; the oldest come first.'),
  }),
  output: z.object({
    applied: z.array(z.object({ task: TaskView, from: z.enum(TASK_STATES) })),
    proposals: z.array(
      z.object({
        number: z.int(),
        task_id: z.string(),
        title: z.string(),
        to: z.enum(CLARIFIED_STATES),
        because: z.string(),
        waiting_for: z.string().optional(),
        priority: LevelField.optional(),
      }),
    ),
    inbox_count: z.int().describe('What is still in the inbox.'),
    message: z.string(),
  }),
  contract: taskWrite,
  examples: [
    {
      name: 'two decisions',
      input: {
        decisions: [
          { task: 'Renew the passport', to: 'next_action', priority: 'high' },
          { task: 'Water the plants', to: 'waiting_for', waiting_for: 'Eve' },
        ],
      },
    },
    {
      name: 'one decision',
      input: { decisions: [{ task: 'Learn to sail', to: 'someday_maybe' }] },
    },
  ],
  transaction: transact(organizeTasks, (execution: Acting<Organizing>) =>
    writingDates(
      execution,
      (execution.input.decisions ?? []).map(({ due }) => due),
    ),
  ),
})

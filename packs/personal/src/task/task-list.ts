import { defineTool } from '@surehand/core'
import { PageCursor } from '@surehand/documents'
import { z } from 'zod'
import { personalData } from '../personal-data.ts'
import { openReadContext } from '../read-context.ts'
import { listTasks } from './list-tasks.ts'
import { taskRead } from './task-contract.ts'
import { ContextField, DueField, LevelField, PersonField } from './task-fields.ts'
import { TASK_STATES } from './task-state.ts'
import { TaskView, taskView } from './task-view.ts'

export const taskList = defineTool({
  id: 'task.list',
  title: 'List tasks',
  category: 'task_management',
  description:
    'List the person’s own tasks, filtered and sorted, in pages. For what to do now, use task.next.',
  version: '2.0.0',
  aliases: ['tools.task.list'],
  input: z.object({
    state: z
      .enum([...TASK_STATES, 'open'])
      .default('open')
      .describe('"open" is every state except completed and deleted.'),
    project: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .describe('Name or partial name of a project.'),
    context: ContextField.optional(),
    tag: z.string().trim().min(1).max(50).optional(),
    priority: LevelField.optional(),
    energy: LevelField.optional(),
    due_until: DueField.optional().describe(
      'Only tasks due up to and including this day: "today" includes overdue tasks.',
    ),
    waiting_for: PersonField.optional().describe('Only tasks that wait for this person.'),
    text: z.string().trim().min(1).max(200).optional().describe('Words in the title.'),
    deferred: z
      .enum(['shown', 'hidden', 'only'])
      .default('shown')
      .describe('Tasks deferred to a later day.'),
    sort: z
      .enum(['due', 'created', 'completed'])
      .default('due')
      .describe(
        'Soonest due first; newest first; or completed tasks, latest first (`state` is then ignored).',
      ),
    limit: z.int().min(1).max(200).default(50),
    cursor: PageCursor.optional(),
  }),
  output: z.object({
    tasks: z.array(TaskView),
    next_cursor: z
      .string()
      .optional()
      .describe('The start of the next page; left out on the last one.'),
  }),
  contract: taskRead,
  ports: { data: personalData },
  examples: [
    { name: 'open tasks', input: {} },
    { name: 'what is due', input: { state: 'next_action', due_until: '2026-01-31', limit: 10 } },
  ],
  execute: async (execution) => {
    const own = await openReadContext(execution, 'task.read')
    const { tasks, cursor } = await listTasks(execution.input, own)
    return {
      tasks: tasks.map((task) => taskView(task, own.localTime)),
      ...(cursor === undefined ? {} : { next_cursor: cursor }),
    }
  },
})

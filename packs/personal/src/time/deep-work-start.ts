import { defineTool, transact } from '@surehand/core'
import { z } from 'zod'
import { TaskNamed } from '../task/task-fields.ts'
import { type Acting, writing } from '../task/writing.ts'
import { SessionView } from './session.ts'
import { ownRights, timeWrite } from './time-contract.ts'
import { type Start, startDeepWork } from './writes/start-deep-work.ts'

export const deepWorkStart = defineTool({
  id: 'time.deep_work_start',
  title: 'Start deep work',
  category: 'time_management',
  description:
    'Begin a session of deep work on a subject, a task or a project. One runs at a time: stop it with time.deep_work_stop.',
  version: '2.0.0',
  aliases: ['tools.time.deep_work_start'],
  input: z.object({
    subject: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .describe('What it is about; the task or project names it where this is left out.'),
    task: TaskNamed.optional(),
    project: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .describe('Name or partial name of a project; the task’s own where it is left out.'),
    planned_minutes: z.int().min(5).max(480).optional(),
  }),
  output: z.object({ session: SessionView, message: z.string() }),
  contract: { ...timeWrite, permissions: ownRights('time.write', 'task.read') },
  examples: [
    { name: 'a subject', input: { subject: 'Chapter three', planned_minutes: 90 } },
    { name: 'a task', input: { task: 'Write the report' } },
  ],
  transaction: transact(startDeepWork, (execution: Acting<Start>) => ({
    ...writing(execution, 'time.write', 'task.read'),
    id: execution.newId('dw'),
  })),
})

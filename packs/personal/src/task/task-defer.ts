import { defineTool, transact } from '@surehand/core'
import { z } from 'zod'
import { taskWrite } from './task-contract.ts'
import { DueField, TaskNamed } from './task-fields.ts'
import { TaskView } from './task-view.ts'
import { type Deferral, deferTask } from './writes/defer-task.ts'
import { type Acting, writingDates } from './writing.ts'

export const taskDefer = defineTool({
  id: 'task.defer',
  title: 'Put a task off',
  category: 'task_management',
  description:
    'Put a task out of sight until a day. Its due date stays; task.next and the inbox show it again from that day on.',
  version: '2.0.0',
  aliases: ['tools.task.defer'],
  input: z.object({
    task: TaskNamed,
    until: DueField.describe(
      'The day it comes back: "Monday", "in two weeks", "2026-05-01"; "today" brings it back now.',
    ),
  }),
  output: z.object({
    task: TaskView,
    deferred_until: z.iso.date(),
    times_deferred: z.int(),
    message: z.string(),
  }),
  contract: taskWrite,
  examples: [
    { name: 'until a date', input: { task: 'Renew the passport', until: '2026-02-02' } },
    { name: 'another one', input: { task: 'Water the plants', until: '2026-01-20' } },
  ],
  transaction: transact(deferTask, (execution: Acting<Deferral>) =>
    writingDates(execution, [execution.input.until]),
  ),
})

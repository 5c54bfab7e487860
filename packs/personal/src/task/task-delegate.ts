import { defineTool, transact } from '@surehand/core'
import { z } from 'zod'
import { taskWrite } from './task-contract.ts'
import { ChangedTask, DueField, NotesField, PersonField, TaskNamed } from './task-fields.ts'
import { type Delegation, delegateTask } from './writes/delegate-task.ts'
import { type Acting, writingDates } from './writing.ts'

export const taskDelegate = defineTool({
  id: 'task.delegate',
  title: 'Delegate a task',
  category: 'task_management',
  description:
    'Note that somebody else does a task: it then waits for them, since today. Tells nobody; send them a message yourself.',
  version: '2.0.0',
  aliases: ['tools.task.delegate'],
  input: z.object({
    task: TaskNamed,
    to: PersonField.describe('Who does it now.'),
    follow_up: DueField.optional().describe(
      'The day to look at it again: "in a week". Until then it is out of sight.',
    ),
    notes: NotesField.optional(),
  }),
  output: ChangedTask,
  contract: taskWrite,
  examples: [
    { name: 'to somebody', input: { task: 'Water the plants', to: 'Eve' } },
    {
      name: 'with a day to look again',
      input: { task: 'Renew the passport', to: 'Bob', follow_up: '2026-01-22' },
    },
  ],
  transaction: transact(delegateTask, (execution: Acting<Delegation>) =>
    writingDates(execution, [execution.input.follow_up]),
  ),
})

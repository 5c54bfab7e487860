import { defineTool, transact } from '@surehand/core'
import { z } from 'zod'
import { taskWrite } from './task-contract.ts'
import { ChangedTask, NotesField, TaskNamed } from './task-fields.ts'
import { type Completion, completeTask } from './writes/complete-task.ts'
import { type Acting, writing } from './writing.ts'

export const taskComplete = defineTool({
  id: 'task.complete',
  title: 'Complete a task',
  category: 'task_management',
  description: 'Mark a task as done. Says so when its project is left without a next action.',
  version: '2.0.0',
  aliases: ['tools.task.complete'],
  input: z.object({
    task: TaskNamed,
    note: NotesField.optional().describe('What came of it; it is added to the notes.'),
  }),
  output: ChangedTask,
  contract: taskWrite,
  examples: [
    { name: 'done', input: { task: 'Renew the passport' } },
    { name: 'done with a note', input: { task: 'Water the plants', note: 'The fern is gone.' } },
  ],
  transaction: transact(completeTask, (execution: Acting<Completion>) =>
    writing(execution, 'task.write'),
  ),
})

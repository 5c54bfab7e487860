import { defineTool, transact } from '@surehand/core'
import { z } from 'zod'
import { taskWrite } from './task-contract.ts'
import { ChangedTask, TaskNamed } from './task-fields.ts'
import { type Deletion, deleteTask } from './writes/delete-task.ts'
import { type Acting, writing } from './writing.ts'

export const taskDelete = defineTool({
  id: 'task.delete',
  title: 'Delete a task',
  category: 'task_management',
  description:
    'Delete a task. It is gone from every list; task.clarify with its id brings it back.',
  version: '2.0.0',
  aliases: ['tools.task.delete'],
  input: z.object({ task: TaskNamed }),
  output: ChangedTask,
  contract: {
    ...taskWrite,
    permissions: { roles: ['user'], capabilities: [{ name: 'task.delete', scope: 'self_only' }] },
  },
  sideEffects: [
    {
      type: 'delete',
      description: 'Takes the task out of every list; its row is kept',
      reversible: true,
    },
  ],
  examples: [
    { name: 'by its title', input: { task: 'Renew the passport' } },
    { name: 'by a part of it', input: { task: 'plants' } },
  ],
  transaction: transact(deleteTask, (execution: Acting<Deletion>) =>
    writing(execution, 'task.delete'),
  ),
})

import { defineTool, defineTransaction, type Tx, transact } from '@surehand/core'
import { z } from 'zod'
import type { WriteExecution } from '../person.ts'
import { lockTask } from './lock-task.ts'
import { updateTask } from './store-task.ts'
import type { Task } from './task.ts'
import { taskWrite } from './task-contract.ts'
import { ChangedTask, TaskNamed } from './task-fields.ts'
import { requireTransition } from './task-state.ts'
import { taskView } from './task-view.ts'
import { buildWriteRequest, readRequestTime, type WriteRequest } from './write-request.ts'

type Deletion = { readonly task: string }

const deleteTask = defineTransaction(
  'task.delete',
  async (tx: Tx, call: WriteRequest<Deletion>) => {
    const localTime = await readRequestTime(tx, call)
    const task = await lockTask(tx, call.person, { query: call.input.task, now: call.now })
    requireTransition(task, 'deleted')
    const gone: Task = {
      ...task,
      state: 'deleted',
      deletedAt: localTime.now,
      updatedAt: localTime.now,
    }
    await updateTask(tx, call.person, gone)
    return {
      task: taskView(gone, localTime),
      from: task.state,
      message: `"${task.title}" is deleted. To restore it, call task.clarify with the id ${task.id}.`,
    }
  },
)

export const taskDelete = defineTool({
  id: 'task.delete',
  title: 'Delete a task',
  category: 'task_management',
  description:
    'Delete a task. It disappears from every list; task.clarify with its id restores it.',
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
      description: 'Removes the task from every list; its row is kept',
      reversible: true,
    },
  ],
  examples: [
    { name: 'by its title', input: { task: 'Renew the passport' } },
    { name: 'by a part of it', input: { task: 'plants' } },
  ],
  transaction: transact(deleteTask, (execution: WriteExecution<Deletion>) =>
    buildWriteRequest(execution, 'task.delete'),
  ),
})

import { defineTransaction, type Tx } from '@surehand/core'
import { updateTask } from '../keep-task.ts'
import { lockTask } from '../lock-task.ts'
import type { Task } from '../task.ts'
import { demandTransition } from '../task-state.ts'
import { taskView } from '../task-view.ts'
import { hereWhen, type Writing } from '../writing.ts'

export type Deletion = { readonly task: string }

export const deleteTask = defineTransaction(
  'task.delete',
  async (tx: Tx, call: Writing<Deletion>) => {
    const here = await hereWhen(tx, call)
    const task = await lockTask(tx, call.person, { said: call.input.task, now: call.now })
    demandTransition(task, 'deleted')
    const gone: Task = { ...task, state: 'deleted', deletedAt: here.now, updatedAt: here.now }
    await updateTask(tx, call.person, gone)
    return {
      task: taskView(gone, here),
      from: task.state,
      message: `"${task.title}" is deleted. task.clarify with the id ${task.id} brings it back.`,
    }
  },
)

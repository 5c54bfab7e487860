import { captureTask } from './writes/capture-task.ts'
import { clarifyTask } from './writes/clarify-task.ts'
import { completeTask } from './writes/complete-task.ts'
import { deferTask } from './writes/defer-task.ts'
import { delegateTask } from './writes/delegate-task.ts'
import { deleteTask } from './writes/delete-task.ts'
import { organizeTasks } from './writes/organize-tasks.ts'

/** Everything this family writes. */
export const taskTransactions = [
  captureTask,
  clarifyTask,
  completeTask,
  deferTask,
  delegateTask,
  deleteTask,
  organizeTasks,
] as const

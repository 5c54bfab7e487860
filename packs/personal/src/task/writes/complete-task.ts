import { defineTransaction, type Tx } from '@surehand/core'
import type { Person } from '../../person.ts'
import { updateTask } from '../keep-task.ts'
import { lockTask } from '../lock-task.ts'
import { given, type Task } from '../task.ts'
import { demandTransition } from '../task-state.ts'
import { taskView } from '../task-view.ts'
import { hereWhen, type Writing } from '../writing.ts'

export type Completion = { readonly task: string; readonly note?: string | undefined }

export const completeTask = defineTransaction(
  'task.complete',
  async (tx: Tx, call: Writing<Completion>) => {
    const here = await hereWhen(tx, call)
    const task = await lockTask(tx, call.person, { said: call.input.task, now: call.now })
    demandTransition(task, 'completed')
    const { deferUntil: _, ...stays } = task
    const notes = [task.notes, call.input.note].filter((text) => text !== undefined).join('\n')
    const done: Task = {
      ...stays,
      state: 'completed',
      completedAt: here.now,
      updatedAt: here.now,
      ...given('notes', notes === '' ? undefined : notes),
    }
    await updateTask(tx, call.person, done)
    const hint = await stuckProject(tx, call.person, done)
    return {
      task: taskView(done, here),
      from: task.state,
      message: `"${done.title}" is completed.${hint === undefined ? '' : ` ${hint}`}`,
    }
  },
)

const NEXT_OF_PROJECT =
  "select 1 as found from pm_tasks where tenant = ? and owner = ? and project_id = ? and state = 'next_action' limit 1"

async function stuckProject(
  tx: Tx,
  { tenant, owner }: Person,
  { project }: Task,
): Promise<string | undefined> {
  if (
    project === undefined ||
    (await tx.get(NEXT_OF_PROJECT, tenant, owner, project.id)) !== undefined
  )
    return undefined
  return `"${project.name}" has no next action of yours now: what comes next?`
}

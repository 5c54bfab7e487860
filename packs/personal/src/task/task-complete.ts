import { defineTool, defineTransaction, type Tx, transact } from '@surehand/core'
import { z } from 'zod'
import type { Person, WriteExecution } from '../person.ts'
import { lockTask } from './lock-task.ts'
import { describeNext, nextOccurrence } from './recurring.ts'
import { insertTask, updateTask } from './store-task.ts'
import { optionalField, type Task } from './task.ts'
import { taskWrite } from './task-contract.ts'
import { ChangedTask, NotesField, TaskNamed } from './task-fields.ts'
import { requireTransition } from './task-state.ts'
import { TaskView, taskView } from './task-view.ts'
import { buildWriteRequest, readRequestTime, type WriteRequest } from './write-request.ts'

type Completion = { readonly task: string; readonly note?: string | undefined }

const completeTask = defineTransaction(
  'task.complete',
  async (tx: Tx, call: WriteRequest<Completion> & { readonly nextId: string }) => {
    const localTime = await readRequestTime(tx, call)
    const task = await lockTask(tx, call.person, { query: call.input.task, now: call.now })
    requireTransition(task, 'completed')
    const { deferUntil: _, ...stays } = task
    const notes = [task.notes, call.input.note].filter((text) => text !== undefined).join('\n')
    const done: Task = {
      ...stays,
      state: 'completed',
      completedAt: localTime.now,
      updatedAt: localTime.now,
      ...optionalField('notes', notes === '' ? undefined : notes),
    }
    await updateTask(tx, call.person, done)
    const next = nextOccurrence(task, call.nextId, localTime)
    if (next !== undefined) await insertTask(tx, call.person, next)
    const hint = await hintAtStuckProject(tx, call.person, done)
    return {
      task: taskView(done, localTime),
      from: task.state,
      ...optionalField('next', next === undefined ? undefined : taskView(next, localTime)),
      message: [`"${done.title}" is completed.`, describeNext(next), hint ?? '']
        .filter((sentence) => sentence !== '')
        .join(' '),
    }
  },
)

const NEXT_OF_PROJECT =
  "select 1 as found from pm_tasks where tenant = ? and owner = ? and project_id = ? and state = 'next_action' limit 1"

async function hintAtStuckProject(
  tx: Tx,
  { tenant, owner }: Person,
  { project }: Task,
): Promise<string | undefined> {
  if (
    project === undefined ||
    (await tx.get(NEXT_OF_PROJECT, tenant, owner, project.id)) !== undefined
  )
    return undefined
  return `"${project.name}" has no next action of yours now. What comes next?`
}

export const taskComplete = defineTool({
  id: 'task.complete',
  title: 'Complete a task',
  category: 'task_management',
  description:
    'Mark a task as completed. One that repeats is put on the list again for its next day. The answer says when its project is left without a next action.',
  version: '2.0.0',
  aliases: ['tools.task.complete'],
  input: z.object({
    task: TaskNamed,
    note: NotesField.optional().describe('The result; it is added to the notes.'),
  }),
  output: ChangedTask.extend({ next: TaskView.optional() }),
  contract: taskWrite,
  examples: [
    { name: 'done', input: { task: 'Renew the passport' } },
    { name: 'done with a note', input: { task: 'Water the plants', note: 'The fern is gone.' } },
  ],
  transaction: transact(completeTask, (execution: WriteExecution<Completion>) => ({
    ...buildWriteRequest(execution, 'task.write'),
    nextId: execution.newId('tsk'),
  })),
})

import { defineTool, defineTransaction, type Tx, transact } from '@surehand/core'
import { z } from 'zod'
import type { WriteExecution } from '../person.ts'
import { applyDecision } from './decision.ts'
import { readFutureDay } from './due.ts'
import { lockTask } from './lock-task.ts'
import { updateTask } from './store-task.ts'
import { optionalField } from './task.ts'
import { taskWrite } from './task-contract.ts'
import { ChangedTask, DueField, NotesField, PersonField, TaskNamed } from './task-fields.ts'
import { taskView } from './task-view.ts'
import { buildDatedWriteRequest, readRequestTime, type WriteRequest } from './write-request.ts'

type Delegation = {
  readonly task: string
  readonly to: string
  readonly follow_up?: string | undefined
  readonly notes?: string | undefined
}

const delegateTask = defineTransaction(
  'task.delegate',
  async (tx: Tx, call: WriteRequest<Delegation>) => {
    const localTime = await readRequestTime(tx, call)
    const { to: who, follow_up, notes } = call.input
    const again = follow_up === undefined ? undefined : readFutureDay(follow_up, localTime)
    const task = await lockTask(tx, call.person, { query: call.input.task, now: call.now })
    const added =
      notes === undefined || task.notes === undefined ? notes : `${task.notes}\n${notes}`
    const decision = { to: 'waiting_for', waiting_for: who, notes: added } as const
    const waits = await applyDecision(tx, task, { decision, person: call.person, localTime })
    const next = { ...waits, ...optionalField('deferUntil', again) }
    await updateTask(tx, call.person, next)
    const look = again === undefined ? '' : ` It reappears on ${again}.`
    return {
      task: taskView(next, localTime),
      from: task.state,
      message: `"${task.title}" waits for ${who} since ${next.waitingSince}.${look}`,
    }
  },
)

export const taskDelegate = defineTool({
  id: 'task.delegate',
  title: 'Delegate a task',
  category: 'task_management',
  description:
    'Note that another person does a task: it then waits for them, starting today. The person is not notified; send them a message yourself.',
  version: '2.0.0',
  aliases: ['tools.task.delegate'],
  input: z.object({
    task: TaskNamed,
    to: PersonField.describe('Who does it now.'),
    follow_up: DueField.optional().describe(
      'The day to look at it again: "in a week". Until then it is hidden.',
    ),
    notes: NotesField.optional(),
  }),
  output: ChangedTask,
  contract: taskWrite,
  examples: [
    { name: 'to another person', input: { task: 'Water the plants', to: 'Eve' } },
    {
      name: 'with a day to look again',
      input: { task: 'Renew the passport', to: 'Bob', follow_up: '2026-01-22' },
    },
  ],
  transaction: transact(delegateTask, (execution: WriteExecution<Delegation>) =>
    buildDatedWriteRequest(execution, [execution.input.follow_up]),
  ),
})

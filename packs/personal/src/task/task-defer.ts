import { defineTool, defineTransaction, type Tx, transact } from '@surehand/core'
import { z } from 'zod'
import type { LocalTime } from '../local-time.ts'
import type { WriteExecution } from '../person.ts'
import { dueDay, readFutureDay } from './due.ts'
import { lockTask } from './lock-task.ts'
import { updateTask } from './store-task.ts'
import type { Task } from './task.ts'
import { taskWrite } from './task-contract.ts'
import { DueField, TaskNamed } from './task-fields.ts'
import { requireDeferrable } from './task-state.ts'
import { TaskView, taskView } from './task-view.ts'
import { buildDatedWriteRequest, readRequestTime, type WriteRequest } from './write-request.ts'

type Deferral = { readonly task: string; readonly until: string }

const deferTask = defineTransaction('task.defer', async (tx: Tx, call: WriteRequest<Deferral>) => {
  const localTime = await readRequestTime(tx, call)
  const until = readFutureDay(call.input.until, localTime)
  const task = await lockTask(tx, call.person, { query: call.input.task, now: call.now })
  requireDeferrable(task)
  const isPutOff = until > localTime.today
  const next: Task = {
    ...task,
    deferUntil: until,
    deferrals: task.deferrals + (isPutOff ? 1 : 0),
    updatedAt: localTime.now,
  }
  await updateTask(tx, call.person, next)
  const message = isPutOff
    ? `"${task.title}" is hidden until ${until}.${warnIfDueEarlier(next, localTime)}`
    : `"${task.title}" is visible again.`
  return {
    task: taskView(next, localTime),
    deferred_until: until,
    times_deferred: next.deferrals,
    message,
  }
})

function warnIfDueEarlier({ due, deferUntil }: Task, { zone }: LocalTime): string {
  if (due === undefined || deferUntil === undefined) return ''
  const day = dueDay(due, zone)
  return day < deferUntil ? ` It is due on ${day}, before it reappears.` : ''
}

export const taskDefer = defineTool({
  id: 'task.defer',
  title: 'Put a task off',
  category: 'task_management',
  description:
    'Hide a task until a day. Its due date stays; task.next and the inbox show it again from that day on.',
  version: '2.0.0',
  aliases: ['tools.task.defer'],
  input: z.object({
    task: TaskNamed,
    until: DueField.describe(
      'The day it reappears: "Monday", "in two weeks", "2026-05-01"; "today" shows it now.',
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
  transaction: transact(deferTask, (execution: WriteExecution<Deferral>) =>
    buildDatedWriteRequest(execution, [execution.input.until]),
  ),
})

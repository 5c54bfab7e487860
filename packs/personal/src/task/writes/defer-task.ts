import { defineTransaction, ToolError, type Tx } from '@surehand/core'
import { dueDay, readDay } from '../due.ts'
import type { Here } from '../here.ts'
import { updateTask } from '../keep-task.ts'
import { lockTask } from '../lock-task.ts'
import type { Task } from '../task.ts'
import { demandDeferrable } from '../task-state.ts'
import { taskView } from '../task-view.ts'
import { hereWhen, type Writing } from '../writing.ts'

export type Deferral = { readonly task: string; readonly until: string }

export const deferTask = defineTransaction(
  'task.defer',
  async (tx: Tx, call: Writing<Deferral>) => {
    const here = await hereWhen(tx, call)
    const until = readComingDay(call.input.until, here)
    const task = await lockTask(tx, call.person, { said: call.input.task, now: call.now })
    demandDeferrable(task)
    const isPutOff = until > here.today
    const next: Task = {
      ...task,
      deferUntil: until,
      deferrals: task.deferrals + (isPutOff ? 1 : 0),
      updatedAt: here.now,
    }
    await updateTask(tx, call.person, next)
    const message = isPutOff
      ? `"${task.title}" is out of sight until ${until}.${tooLate(next, here)}`
      : `"${task.title}" is in sight again.`
    return {
      task: taskView(next, here),
      deferred_until: until,
      times_deferred: next.deferrals,
      message,
    }
  },
)

function tooLate({ due, deferUntil }: Task, { zone }: Here): string {
  if (due === undefined || deferUntil === undefined) return ''
  const day = dueDay(due, zone)
  return day < deferUntil ? ` It is due on ${day}, before it comes back.` : ''
}

/** A day that is not over. */
export function readComingDay(text: string, here: Here): string {
  const day = readDay(text, here, 'until')
  if (day >= here.today) return day
  throw new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    `${day} is over: today is ${here.today} in ${here.zone}.`,
    {
      details: {
        validation_errors: [
          { field: 'until', error: 'must not be in the past', provided_value: text },
        ],
        today: here.today,
      },
    },
  )
}

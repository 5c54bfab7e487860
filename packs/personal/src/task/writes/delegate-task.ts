import { defineTransaction, type Tx } from '@surehand/core'
import { decided } from '../decision.ts'
import { updateTask } from '../keep-task.ts'
import { lockTask } from '../lock-task.ts'
import { given } from '../task.ts'
import { taskView } from '../task-view.ts'
import { hereWhen, type Writing } from '../writing.ts'
import { readComingDay } from './defer-task.ts'

export type Delegation = {
  readonly task: string
  readonly to: string
  readonly follow_up?: string | undefined
  readonly notes?: string | undefined
}

export const delegateTask = defineTransaction(
  'task.delegate',
  async (tx: Tx, call: Writing<Delegation>) => {
    const here = await hereWhen(tx, call)
    const { to: who, follow_up, notes } = call.input
    const again = follow_up === undefined ? undefined : readComingDay(follow_up, here)
    const task = await lockTask(tx, call.person, { said: call.input.task, now: call.now })
    const added =
      notes === undefined || task.notes === undefined ? notes : `${task.notes}\n${notes}`
    const decision = { to: 'waiting_for', waiting_for: who, notes: added } as const
    const waits = await decided(tx, task, { decision, person: call.person, here })
    const next = { ...waits, ...given('deferUntil', again) }
    await updateTask(tx, call.person, next)
    const look = again === undefined ? '' : ` It comes back into sight on ${again}.`
    return {
      task: taskView(next, here),
      from: task.state,
      message: `"${task.title}" waits for ${who} since ${next.waitingSince}.${look}`,
    }
  },
)

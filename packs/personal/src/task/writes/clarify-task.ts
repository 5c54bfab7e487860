import { defineTransaction, type Tx } from '@surehand/core'
import { type Decision, decided } from '../decision.ts'
import { updateTask } from '../keep-task.ts'
import { lockTask } from '../lock-task.ts'
import { stateWords } from '../task-state.ts'
import { taskView } from '../task-view.ts'
import { hereWhen, type Writing } from '../writing.ts'

export type Clarification = Decision & { readonly task: string }

export const clarifyTask = defineTransaction(
  'task.clarify',
  async (tx: Tx, call: Writing<Clarification>) => {
    const here = await hereWhen(tx, call)
    const task = await lockTask(tx, call.person, { said: call.input.task, now: call.now })
    const next = await decided(tx, task, { decision: call.input, person: call.person, here })
    await updateTask(tx, call.person, next)
    return {
      task: taskView(next, here),
      from: task.state,
      message: `"${next.title}" is now ${stateWords(next.state)}.`,
    }
  },
)

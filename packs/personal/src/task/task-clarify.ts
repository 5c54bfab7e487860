import {
  defineTool,
  defineTransaction,
  type Execution,
  ToolError,
  type Tx,
  transact,
} from '@surehand/core'
import { z } from 'zod'
import type { WriteExecution } from '../person.ts'
import { applyDecision, type Decision } from './decision.ts'
import { lockTask } from './lock-task.ts'
import { updateTask } from './store-task.ts'
import { taskWrite } from './task-contract.ts'
import { ChangedTask, decisionFields, TaskNamed } from './task-fields.ts'
import { CLARIFIED_STATES, describeState } from './task-state.ts'
import { taskView } from './task-view.ts'
import { buildDatedWriteRequest, readRequestTime, type WriteRequest } from './write-request.ts'

type Clarification = Decision & { readonly task: string }

const clarifyTask = defineTransaction(
  'task.clarify',
  async (tx: Tx, call: WriteRequest<Clarification>) => {
    const localTime = await readRequestTime(tx, call)
    const task = await lockTask(tx, call.person, { query: call.input.task, now: call.now })
    const next = await applyDecision(tx, task, {
      decision: call.input,
      person: call.person,
      localTime,
    })
    await updateTask(tx, call.person, next)
    return {
      task: taskView(next, localTime),
      from: task.state,
      message: `"${next.title}" is now ${describeState(next.state)}.`,
    }
  },
)

export const taskClarify = defineTool({
  id: 'task.clarify',
  title: 'Clarify a task',
  category: 'task_management',
  description:
    'Decide what a task is: a next action, a project, waiting for a person, someday/maybe, reference, or deleted. Also changes its title, priority, energy, context, minutes, due date, tags and project, and restores completed or deleted tasks.',
  version: '2.0.0',
  aliases: ['tools.task.clarify'],
  input: z.object({
    task: TaskNamed,
    to: z.enum([...CLARIFIED_STATES, 'deleted']),
    ...decisionFields,
  }),
  output: ChangedTask,
  contract: {
    ...taskWrite,
    permissions: {
      ...taskWrite.permissions,
      // The contract refuses this first: agents have no `*.delete` capability.
      when: {
        any: [
          { attribute: 'input.to', op: 'ne', value: 'deleted' },
          { attribute: 'caller.actor', op: 'ne', value: 'ai_agent' },
        ],
      },
    },
  },
  examples: [
    {
      name: 'next action',
      input: {
        task: 'Renew the passport',
        to: 'next_action',
        priority: 'high',
        energy: 'low',
        context: 'errands',
        minutes: 45,
        due: '2026-01-30',
      },
    },
    {
      name: 'waiting for a person',
      input: { task: 'Water the plants', to: 'waiting_for', waiting_for: 'Eve' },
    },
  ],
  transaction: transact(
    clarifyTask,
    (execution: WriteExecution<Clarification> & Pick<Execution<never, never>, 'holds'>) => {
      // Without task.delete, a caller must not delete tasks through task.clarify either.
      if (execution.input.to === 'deleted' && !execution.holds('task.delete'))
        throw new ToolError(
          'TOOL_CAPABILITY_MISSING',
          `Deleting a task requires the capability task.delete, which ${execution.caller.principal} does not have.`,
          {
            details: { missing_capabilities: ['task.delete'] },
            effect: 'none',
          },
        )
      return buildDatedWriteRequest(execution, [execution.input.due])
    },
  ),
})

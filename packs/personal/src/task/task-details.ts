import { defineTool } from '@surehand/core'
import { instantText } from '@surehand/dates'
import { z } from 'zod'
import { personalData } from '../personal-data.ts'
import { openReadContext } from '../read-context.ts'
import { findTask } from './find-task.ts'
import { FactorView, scoreTask } from './score-task.ts'
import { optionalField } from './task.ts'
import { taskRead } from './task-contract.ts'
import { TaskNamed } from './task-fields.ts'
import { TASK_STATES, TRANSITIONS } from './task-state.ts'
import { TaskView, taskView } from './task-view.ts'

export const taskDetails = defineTool({
  id: 'task.details',
  title: 'Show a task',
  category: 'task_management',
  description:
    'Show everything about one task: its notes, its dates, its current score and the states it may change to.',
  version: '2.0.0',
  aliases: ['tools.task.details'],
  input: z.object({ task: TaskNamed }),
  output: z.object({
    task: TaskView,
    notes: z.string().optional(),
    times_deferred: z.int(),
    updated_at: z.iso.datetime({ offset: true }),
    may_become: z.array(z.enum(TASK_STATES)),
    score: z.object({ total_score: z.number(), factors: z.array(FactorView) }),
  }),
  contract: taskRead,
  ports: { data: personalData },
  examples: [{ name: 'by its title', input: { task: 'Renew the passport' } }],
  execute: async (execution) => {
    const { read, person, localTime } = await openReadContext(execution, 'task.read')
    const task = await findTask(read, person, execution.input.task)
    const { total_score, factors } = scoreTask(task, { localTime })
    return {
      task: taskView(task, localTime),
      times_deferred: task.deferrals,
      updated_at: instantText(task.updatedAt, localTime.zone),
      may_become: [...TRANSITIONS[task.state]],
      score: {
        total_score,
        factors: factors.map((factor) => ({ ...factor, evidence: [...factor.evidence] })),
      },
      ...optionalField('notes', task.notes),
    }
  },
})

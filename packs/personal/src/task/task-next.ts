import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { personalData } from '../personal-data.ts'
import { openReadContext } from '../read-context.ts'
import { contextKey } from './decision.ts'
import { findProjectForTask } from './find-project.ts'
import { rankNextActions } from './next-actions.ts'
import { FactorView, summarizeReasons } from './score-task.ts'
import { optionalField } from './task.ts'
import { taskRead } from './task-contract.ts'
import { ContextField, LevelField, MinutesField } from './task-fields.ts'
import { TaskView, taskView } from './task-view.ts'

export const taskNext = defineTool({
  id: 'task.next',
  title: 'What to do next',
  category: 'task_management',
  description:
    'Rank the best next actions for right now, each with its reason. Give the person’s energy, context and available minutes; actions that are not possible there or in that time are left out.',
  version: '2.0.0',
  aliases: ['tools.task.next'],
  input: z.object({
    energy: LevelField.optional().describe('The available energy.'),
    context: ContextField.optional().describe(
      'Where the person is or what is at hand; actions that need another context are left out.',
    ),
    minutes: MinutesField.optional().describe('The available minutes.'),
    project: z.string().trim().min(1).max(200).optional().describe('Only actions of this project.'),
    limit: z.int().min(1).max(50).default(5),
  }),
  output: z.object({
    actions: z.array(
      z.object({
        rank: z.int(),
        task: TaskView,
        score: z.number(),
        reason: z.string(),
        factors: z.array(FactorView),
      }),
    ),
    considered: z.int().describe('How many next actions were considered.'),
    message: z.string(),
  }),
  contract: taskRead,
  ports: { data: personalData },
  examples: [
    { name: 'anything', input: {} },
    {
      name: 'a quarter of an hour on the phone',
      input: { energy: 'low', context: 'phone', minutes: 15, limit: 3 },
    },
  ],
  execute: async (execution) => {
    const { energy, context, minutes, project, limit } = execution.input
    const readContext = await openReadContext(execution, 'task.read')
    const within =
      project === undefined
        ? undefined
        : await findProjectForTask(readContext.read, readContext.person, project)
    const situation = {
      localTime: readContext.localTime,
      ...optionalField('energy', energy),
      ...optionalField('context', context === undefined ? undefined : contextKey(context)),
      ...optionalField('minutes', minutes),
    }
    const ranked = await rankNextActions(readContext, situation, within)
    const [first] = ranked
    return {
      actions: ranked.slice(0, limit).map(({ task, score }, index) => ({
        rank: index + 1,
        task: taskView(task, readContext.localTime),
        score: score.total_score,
        reason: summarizeReasons(score),
        factors: score.factors.map((factor) => ({ ...factor, evidence: [...factor.evidence] })),
      })),
      considered: ranked.length,
      message:
        first === undefined
          ? 'No next action fits. Clarify the inbox with task.organize.'
          : `Do "${first.task.title}" next.`,
    }
  },
})

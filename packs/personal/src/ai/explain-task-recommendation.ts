import { defineTool } from '@surehand/core'
import { addDays, startOfDay } from '@surehand/dates'
import { z } from 'zod'
import { personalData } from '../personal-data.ts'
import { openProjectContext } from '../project/project-context.ts'
import type { ReadContext } from '../read-context.ts'
import { contextKey } from '../task/decision.ts'
import { findTask } from '../task/find-task.ts'
import { type Ranked, rankNextActions } from '../task/next-actions.ts'
import { type Situation, scoreTask, summarizeReasons } from '../task/score-task.ts'
import { LEVELS, optionalField, type Task } from '../task/task.ts'
import { AGREEMENT_FORMULA, computeConfidence } from './confidence.ts'
import { createDataLoader } from './data-loader.ts'
import { explainError, findSubject, requireConfidence } from './explain-error.ts'
import {
  type Advice,
  EXPLAIN_CONTRACT,
  Explanation,
  LeastConfidence,
  numberSteps,
} from './explanation.ts'
import { effortOf, sensitivityOf, taskFactors } from './task-factors.ts'

const PAST_DAYS = 90
const OFTEN_PUT_OFF = 3

export const explainTaskRecommendation = defineTool({
  id: 'ai.explain_task_recommendation',
  title: 'Explain Task Recommendation',
  category: 'ai_explanation',
  version: '2.0.0',
  aliases: ['explain.task', 'tools.ai.explain_task_recommendation'],
  command: 'explain.task',
  description:
    'Explain why a task is recommended now or not: how much each factor counts, its rank among all next actions, and what to do instead. Without a task it explains the top recommendation.',
  input: z.object({
    task: z
      .string()
      .trim()
      .min(1)
      .max(500)
      .optional()
      .describe('Its title, a part of it, or its id.'),
    energy: z.enum(LEVELS).optional().describe('The available energy.'),
    context: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .optional()
      .describe('Where you are, such as "home" or "phone".'),
    minutes: z.number().int().min(1).max(1440).optional().describe('The available minutes.'),
    min_confidence: LeastConfidence,
  }),
  output: Explanation,
  contract: EXPLAIN_CONTRACT,
  ports: { data: personalData },
  examples: [
    { name: 'what is first', description: 'Why it is recommended', input: {} },
    {
      name: 'one task',
      description: 'Where it stands',
      input: { task: 'Write the release notes', energy: 'high' },
    },
  ],
  async execute(execution): Promise<Explanation> {
    const { task: said, energy, context, minutes, min_confidence } = execution.input
    const gather = createDataLoader(execution)
    const projectContext = await gather.required(() => openProjectContext(execution, 'ai.explain'))
    const situation = {
      localTime: projectContext.localTime,
      ...optionalField('energy', energy),
      ...optionalField('context', context === undefined ? undefined : contextKey(context)),
      ...optionalField('minutes', minutes),
    }
    const named =
      said === undefined
        ? undefined
        : await gather.required(() =>
            findSubject(findTask(projectContext.read, projectContext.person, said)),
          )
    const ranked = await gather.required(() => rankNextActions(projectContext, situation))
    const task = requireExplainable(named ?? ranked[0]?.task)
    const past = await gather.optional(
      'tasks of the past',
      () => countFavouredPast(projectContext),
      {
        tries: 0,
        hits: 0,
      },
    )
    const score = scoreTask(task, situation)
    const factors = taskFactors(task, score, projectContext.localTime)
    const others = ranked.filter((one) => one.task.id !== task.id)
    const confidence = computeConfidence(
      {
        known: countKnownFields(task),
        wanted: 6,
        certainty: certaintyOf(score.total_score, others),
        ...past,
      },
      factors.factors,
    )
    requireConfidence(confidence, min_confidence)
    return {
      subject: { type: 'task', id: task.id, name: task.title },
      reasoning: numberSteps(
        stepsOf({
          task,
          situation,
          ranked,
          total: factors.total_score,
          why: summarizeReasons(score),
        }),
      ),
      factors,
      confidence,
      recommendations: adviceOf(task, ranked, situation),
      context: {
        generated_at: new Date(projectContext.localTime.now).toISOString(),
        time_zone: projectContext.localTime.zone,
        data_used: { next_actions: ranked.length, completed_tasks: past.tries },
        is_partial: gather.missing.length > 0,
        missing: [...gather.missing],
        formulas: FORMULAS,
      },
    }
  },
})

const FORMULAS = {
  data_quality:
    'fields among due day, priority, energy, minutes, context and project that are set ÷ 6',
  model_certainty:
    '0.5 + difference to the nearest other score ÷ 4, at most 1; 1 when it is the only one',
  factor_agreement: AGREEMENT_FORMULA,
  historical_accuracy: `(tasks completed in ${PAST_DAYS} days that were due or of high priority, as this ranking favours them, + 1) ÷ (all completed + 2)`,
}

function requireExplainable(task: Task | undefined): Task {
  if (task === undefined)
    throw explainError(
      'EXPLAIN_INSUFFICIENT_DATA',
      'There is no next action to recommend. Capture tasks, and clarify the inbox.',
      {
        next_actions: 0,
        needed: 1,
      },
    )
  if (task.state === 'completed' || task.state === 'deleted' || task.state === 'reference')
    throw explainError(
      'EXPLAIN_UNSUPPORTED_TYPE',
      `"${task.title}" is ${task.state}: only open tasks are recommended.`,
      {
        state: task.state,
      },
    )
  return task
}

function countKnownFields({ due, priority, energy, minutes, context, project }: Task): number {
  return [due, priority, energy, minutes, context, project].filter((one) => one !== undefined)
    .length
}

function certaintyOf(score: number, others: readonly Ranked[]): number {
  if (others.length === 0) return 1
  const nearest = Math.min(...others.map((one) => Math.abs(one.score.total_score - score)))
  return Math.min(1, 0.5 + nearest / 4)
}

const COUNT_PAST = `select count(*) as tries, sum(case when priority = 'high' or due_day is not null then 1 else 0 end) as hits from pm_tasks
  where tenant = ? and owner = ? and completed_at >= ? and state = 'completed'`

async function countFavouredPast({
  read,
  person,
  localTime,
}: ReadContext): Promise<{ readonly tries: number; readonly hits: number }> {
  const since = startOfDay(addDays(localTime.today, -PAST_DAYS), localTime.zone)
  const [row] = await read(COUNT_PAST, person.tenant, person.owner, since)
  return { tries: Number(row?.tries ?? 0), hits: Number(row?.hits ?? 0) }
}

type ReasoningFacts = {
  readonly task: Task
  readonly situation: Situation
  readonly ranked: readonly Ranked[]
  readonly total: number
  readonly why: string
}

function stepsOf({ task, situation, ranked, total, why }: ReasoningFacts) {
  const place = ranked.findIndex((one) => one.task.id === task.id) + 1
  const at = [
    situation.energy && `energy ${situation.energy}`,
    situation.context && `@${situation.context}`,
    situation.minutes && `${situation.minutes} minutes`,
  ]
  const said = at.filter(Boolean).join(', ')
  return [
    {
      title: 'The situation',
      detail:
        said === ''
          ? `It is ${situation.localTime.today}; nothing else is known.`
          : `It is ${situation.localTime.today}; ${said}.`,
      conclusion: `${ranked.length} next actions are possible.`,
    },
    {
      title: 'What speaks for it',
      detail: why,
      conclusion: `"${task.title}" scores ${total} of 10.`,
    },
    {
      title: 'Among the others',
      detail:
        ranked
          .slice(0, 3)
          .map((one) => `"${one.task.title}" ${one.score.total_score}`)
          .join('; ') || 'There are no others.',
      conclusion:
        place === 0
          ? `"${task.title}" is not possible now.`
          : `"${task.title}" is number ${place} of ${ranked.length}.`,
    },
  ]
}

function adviceOf(
  task: Task,
  ranked: readonly Ranked[],
  situation: Situation,
): Explanation['recommendations'] {
  const [first] = ranked
  const isFirst = first === undefined || first.task.id === task.id
  const best = isFirst ? { task, score: scoreTask(task, situation) } : first
  const others = ranked.filter((one) => one.task.id !== best.task.id).slice(0, 3)
  const flags = [
    ...(best.score.factors.some(({ id, raw_score }) => id === 'urgency' && raw_score === 10)
      ? [`"${best.task.title}" is overdue`]
      : []),
    ...(task.deferrals >= OFTEN_PUT_OFF
      ? [`"${task.title}" was deferred ${task.deferrals} times: do it, delegate it or delete it`]
      : []),
    ...(task.state === 'inbox' ? [`"${task.title}" is still in the inbox: clarify it first`] : []),
  ]
  return {
    primary_recommendation: advice(best),
    ...(others.length === 0 ? {} : { alternative_options: others.map(advice) }),
    ...(flags.length === 0 ? {} : { warning_flags: flags }),
  }
}

function advice({ task, score }: Ranked): Advice {
  return {
    action: `Do "${task.title}"`,
    rationale: summarizeReasons(score),
    expected_impact:
      task.project === undefined
        ? 'One next action is done.'
        : `"${task.project.name}" progresses.`,
    effort_level: effortOf(task),
    time_sensitivity: sensitivityOf(score),
  }
}

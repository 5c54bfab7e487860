import { defineTool } from '@surehand/core'
import { dayOf } from '@surehand/dates'
import { z } from 'zod'
import { personalData } from '../personal-data.ts'
import { findProject } from '../project/find-project.ts'
import { type Health, judgeHealth, LEVELS, type SignalId } from '../project/health.ts'
import type { Project } from '../project/project.ts'
import { openProjectContext, type ProjectContext } from '../project/project-context.ts'
import { type ProjectEvidence, readProjectEvidence } from '../project/project-evidence.ts'
import { type ProjectFacts, readProjectFacts } from '../project/project-facts.ts'
import { ProjectNamed } from '../project/shapes.ts'
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
import type { Factor } from './weigh.ts'

const SIGNALS = 5

export const explainProjectHealth = defineTool({
  id: 'ai.explain_project_health',
  title: 'Explain Project Health',
  category: 'ai_explanation',
  version: '2.0.0',
  aliases: ['explain.project', 'tools.ai.explain_project_health'],
  command: 'explain.project',
  description:
    'Explain the health of a project: how much each signal (target day, overdue tasks, obstacles, inactivity, risks) counts, with the records behind it, and what would help most.',
  input: z.object({ project_name: ProjectNamed, min_confidence: LeastConfidence }),
  output: Explanation,
  contract: EXPLAIN_CONTRACT,
  ports: { data: personalData },
  examples: [
    {
      name: 'a project',
      description: 'The reasons for its health',
      input: { project_name: 'PersonalManager' },
    },
  ],
  async execute(execution): Promise<Explanation> {
    const gather = createDataLoader(execution)
    const context = await gather.required(() => openProjectContext(execution, 'ai.explain'))
    const project = await gather.required(() =>
      findSubject(findProject(execution.input.project_name, context)),
    )
    const facts = (await gather.required(() => readProjectFacts([project], context))).get(
      project.id,
    )
    if (facts === undefined) throw new TypeError(`The facts of project ${project.id} are missing.`)
    const evidence = await gather.optional(
      'records behind the signals',
      () => readProjectEvidence(project, facts, context),
      NO_EVIDENCE,
    )
    const health = requireHealth(project, facts, evidence)
    const past = await gather.optional('past projects', () => countKeptTargets(context), {
      tries: 0,
      hits: 0,
    })
    const { total_score, factors } = health.factors
    const confidence = computeConfidence(
      { known: factors.length, wanted: SIGNALS, certainty: certaintyOf(total_score), ...past },
      factors,
    )
    requireConfidence(confidence, execution.input.min_confidence)
    return {
      subject: { type: 'project', id: project.id, name: project.name },
      reasoning: numberSteps(stepsOf(project, facts, health)),
      factors: health.factors,
      confidence,
      recommendations: projectAdvice(project, facts, health),
      context: {
        generated_at: new Date(context.localTime.now).toISOString(),
        time_zone: context.localTime.zone,
        data_used: {
          tasks: facts.openTasks + facts.doneTasks,
          risks: facts.risksEver,
          obstacles: facts.blocksEver,
          past_projects: past.tries,
        },
        is_partial: gather.missing.length > 0,
        missing: [...gather.missing],
        formulas: FORMULAS,
      },
    }
  },
})

const NO_EVIDENCE: ProjectEvidence = { signals: {}, waiting: [], openRisks: [], openBlocks: [] }

const FORMULAS = {
  data_quality: 'signals that apply ÷ 5',
  model_certainty: '0.5 + distance of the score from the nearest level’s edge ÷ 3, at most 1',
  factor_agreement: AGREEMENT_FORMULA,
  historical_accuracy:
    '(projects completed by their target day + 1) ÷ (completed projects with a target day + 2)',
}

function requireHealth(project: Project, facts: ProjectFacts, evidence: ProjectEvidence): Health {
  if (facts.state !== 'active' && facts.state !== 'on_hold')
    throw explainError(
      'EXPLAIN_UNSUPPORTED_TYPE',
      `"${project.name}" is ${facts.state}: only an active project or one on hold has a health.`,
      {
        state: facts.state,
      },
    )
  const health = judgeHealth(facts, evidence.signals)
  if (health.level === 'unknown')
    throw explainError(
      'EXPLAIN_INSUFFICIENT_DATA',
      `There are no signals for "${project.name}" yet. Give its tasks due dates, set a target day and progress, or record risks and obstacles.`,
      {
        signals: 0,
        needed: 1,
      },
    )
  return health
}

function stepsOf(project: Project, facts: ProjectFacts, { level, factors, cappedBy }: Health) {
  const worst = [...factors.factors].sort((one, other) => one.raw_score - other.raw_score)[0]
  return [
    {
      title: 'What there is',
      detail: `"${project.name}" has ${facts.openTasks} open and ${facts.doneTasks} completed tasks, ${facts.openBlocks} open obstacles and ${countOpenRisks(facts)} open risks.`,
      conclusion: `${factors.factors.length} of ${SIGNALS} signals apply.`,
    },
    {
      title: 'Each signal',
      detail: factors.factors
        .map(({ name, raw_score, weight }) => `${name}: ${raw_score} of 10, weight ${weight}`)
        .join('; '),
      conclusion: `The signal that lowers it most is: ${worst?.name ?? 'none'}.`,
    },
    {
      title: 'Together',
      detail: factors.factors.map(({ weighted_contribution }) => weighted_contribution).join(' + '),
      conclusion: `${factors.total_score} of 10 is ${LEVELS.find(({ from }) => factors.total_score >= from)?.level}${cappedBy === undefined ? '' : `, but "${cappedBy}" is so bad that the level is ${level}`}.`,
    },
  ]
}

function countOpenRisks({ openRisks }: ProjectFacts): number {
  return openRisks.high + openRisks.medium + openRisks.low
}

/** A score near the edge of its level could easily have another level. */
function certaintyOf(score: number): number {
  const edges = LEVELS.map(({ from }) => from).filter((from) => from > 0)
  return Math.min(1, 0.5 + Math.min(...edges.map((edge) => Math.abs(score - edge))) / 3)
}

const SELECT_TARGETS = `select p.target_day, p.completed_at from reached r join pm_projects p on p.tenant = r.tenant and p.id = r.id
  where p.completed_at is not null and p.target_day is not null order by p.completed_at desc limit 100`

async function countKeptTargets({
  read,
  reach,
  localTime,
}: ProjectContext): Promise<{ readonly tries: number; readonly hits: number }> {
  const rows = await read(`${reach.sql} ${SELECT_TARGETS}`, ...reach.values)
  const hits = rows.filter(
    ({ target_day, completed_at }) =>
      dayOf(Number(completed_at), localTime.zone) <= String(target_day),
  )
  return { tries: rows.length, hits: hits.length }
}

/** Recommendations for a project, about the signals that lower its score most. */
function projectAdvice(
  project: Project,
  facts: ProjectFacts,
  { factors, level }: Health,
): Explanation['recommendations'] {
  const costly = factors.factors
    .filter(({ raw_score }) => raw_score < 8)
    .sort((one, other) => costOf(other) - costOf(one))
    .map((factor) => adviceFor(factor, project, facts))
  const [first, ...others] = costly.length > 0 ? costly : [adviseToContinue(project, facts)]
  const flags = [
    ...(level === 'critical' ? [`"${project.name}" is critical`] : []),
    ...(project.targetDay !== undefined && project.targetDay < facts.today
      ? [`Its target day ${project.targetDay} has passed`]
      : []),
    ...(facts.nextActions === 0 && facts.openTasks > 0 ? ['It has no next action'] : []),
  ]
  return {
    primary_recommendation: first ?? adviseToContinue(project, facts),
    ...(others.length === 0 ? {} : { alternative_options: others }),
    ...(flags.length === 0 ? {} : { warning_flags: flags }),
  }
}

/** How many points of the score are lost by this factor. */
function costOf({ raw_score, weight }: Factor): number {
  return (10 - raw_score) * weight
}

function adviceFor(factor: Factor, project: Project, facts: ProjectFacts): Advice {
  const named = factor.evidence[0]?.said
  const gain = `Up to ${Math.round(costOf(factor) * 10) / 10} points of 10 more health.`
  const because = `${factor.name} scores ${factor.raw_score} of 10${named === undefined ? '' : `: ${named}`}.`
  const base = { rationale: because, expected_impact: gain }
  // Erased: the factors of a health are its signals.
  switch (factor.id as SignalId) {
    case 'schedule':
      return {
        ...base,
        action: `Move the target day of "${project.name}", or reduce what is to be done until ${facts.targetDay ?? 'then'}`,
        effort_level: 'medium',
        time_sensitivity: 'this_week',
      }
    case 'overdue':
      return {
        ...base,
        action: `Do, delegate or reschedule the ${facts.overdueTasks} overdue tasks of "${project.name}"`,
        effort_level: facts.overdueTasks > 3 ? 'high' : 'medium',
        time_sensitivity: 'today',
      }
    case 'blocked':
      return {
        ...base,
        action: `Remove the obstacles of "${project.name}"`,
        effort_level: 'high',
        time_sensitivity: 'today',
      }
    case 'activity':
      return {
        ...base,
        action: `Decide on the next action of "${project.name}", or put it on hold`,
        effort_level: 'low',
        time_sensitivity: 'this_week',
      }
    case 'risks':
      return {
        ...base,
        action: `Close or accept the open risks of "${project.name}"`,
        effort_level: 'medium',
        time_sensitivity: 'this_week',
      }
  }
}

function adviseToContinue(project: Project, facts: ProjectFacts): Advice {
  return {
    action:
      facts.openTasks === 0
        ? `Complete "${project.name}", or decide on its next action`
        : `Continue with "${project.name}" as it is`,
    rationale: 'Every signal scores 8 or more.',
    expected_impact: 'It stays as healthy as it is.',
    effort_level: 'low',
    time_sensitivity: 'flexible',
  }
}

import { defineTool } from '@surehand/core'
import { dayOf } from '@surehand/dates'
import { z } from 'zod'
import { personalData } from '../personal-data.ts'
import { findProject } from '../project/find-project.ts'
import { type Health, healthOf, LEVELS } from '../project/health.ts'
import { lookingBy } from '../project/looking.ts'
import type { Project } from '../project/project.ts'
import { type ProjectEvidence, projectEvidence } from '../project/project-evidence.ts'
import { type Looking, type ProjectFacts, projectFacts } from '../project/project-facts.ts'
import { ProjectNamed } from '../project/shapes.ts'
import { AGREEMENT_FORMULA, confidenceOf } from './confidence.ts'
import { demandConfidence, explainError, subjectOf } from './explain-error.ts'
import { EXPLAINS, LeastConfidence } from './explaining.ts'
import { Explanation, reasoningOf } from './explanation.ts'
import { gathering } from './gather.ts'
import { projectAdvice } from './project-advice.ts'

const SIGNALS = 5

export const explainProjectHealth = defineTool({
  id: 'ai.explain_project_health',
  title: 'Explain Project Health',
  category: 'ai_explanation',
  version: '2.0.0',
  aliases: ['explain.project', 'tools.ai.explain_project_health'],
  command: 'explain.project',
  description:
    'Why a project is as healthy as it is: which signals (target day, overdue tasks, obstacles, silence, risks) count how much, with the records behind them, and what would help most.',
  input: z.object({ project_name: ProjectNamed, min_confidence: LeastConfidence }),
  output: Explanation,
  contract: EXPLAINS,
  ports: { data: personalData },
  examples: [
    {
      name: 'a project',
      description: 'Why it is as it is',
      input: { project_name: 'PersonalManager' },
    },
  ],
  async execute(execution): Promise<Explanation> {
    const gather = gathering(execution)
    const looking = await gather.must(() => lookingBy(execution, 'ai.explain'))
    const project = await gather.must(() =>
      subjectOf(findProject(execution.input.project_name, looking)),
    )
    const facts = (await gather.must(() => projectFacts([project], looking))).get(project.id)
    if (facts === undefined) throw new TypeError(`No facts were read of project ${project.id}.`)
    const evidence = await gather.may(
      'records behind the signals',
      () => projectEvidence(project, facts, looking),
      NO_EVIDENCE,
    )
    const health = judged(project, facts, evidence)
    const past = await gather.may('projects of the past', () => keptTargets(looking), {
      tries: 0,
      hits: 0,
    })
    const { total_score, factors } = health.factors
    const confidence = confidenceOf(
      { known: factors.length, wanted: SIGNALS, certainty: certaintyOf(total_score), ...past },
      factors,
    )
    demandConfidence(confidence, execution.input.min_confidence)
    return {
      subject: { type: 'project', id: project.id, name: project.name },
      reasoning: reasoningOf(stepsOf(project, facts, health)),
      factors: health.factors,
      confidence,
      recommendations: projectAdvice(project, facts, health),
      context: {
        generated_at: new Date(looking.here.now).toISOString(),
        time_zone: looking.here.zone,
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

function judged(project: Project, facts: ProjectFacts, evidence: ProjectEvidence): Health {
  if (facts.state !== 'active' && facts.state !== 'on_hold')
    throw explainError(
      'EXPLAIN_UNSUPPORTED_TYPE',
      `"${project.name}" is ${facts.state}: only what is under way is well or ill.`,
      {
        state: facts.state,
      },
    )
  const health = healthOf(facts, evidence.signals)
  if (health.level === 'unknown')
    throw explainError(
      'EXPLAIN_INSUFFICIENT_DATA',
      `Nothing tells yet how "${project.name}" is: give it tasks with days, a target day and progress, or write down risks and obstacles.`,
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
      detail: `"${project.name}" has ${facts.openTasks} open and ${facts.doneTasks} completed tasks, ${facts.openBlocks} open obstacles and ${total(facts)} open risks.`,
      conclusion: `${factors.factors.length} of ${SIGNALS} signals apply.`,
    },
    {
      title: 'Each signal',
      detail: factors.factors
        .map(({ name, raw_score, weight }) => `${name}: ${raw_score} of 10, weight ${weight}`)
        .join('; '),
      conclusion: `What pulls it down most is: ${worst?.name ?? 'nothing'}.`,
    },
    {
      title: 'Together',
      detail: factors.factors.map(({ weighted_contribution }) => weighted_contribution).join(' + '),
      conclusion: `${factors.total_score} of 10 is ${LEVELS.find(({ from }) => factors.total_score >= from)?.level}${cappedBy === undefined ? '' : `, but "${cappedBy}" is so bad that it is ${level}`}.`,
    },
  ]
}

function total({ openRisks }: ProjectFacts): number {
  return openRisks.high + openRisks.medium + openRisks.low
}

/** A score near the edge of its level might as well have come out on the other side. */
export function certaintyOf(score: number): number {
  const edges = LEVELS.map(({ from }) => from).filter((from) => from > 0)
  return Math.min(1, 0.5 + Math.min(...edges.map((edge) => Math.abs(score - edge))) / 3)
}

const SELECT_TARGETS = `select p.target_day, p.completed_at from reached r join pm_projects p on p.tenant = r.tenant and p.id = r.id
  where p.completed_at is not null and p.target_day is not null order by p.completed_at desc limit 100`

async function keptTargets({
  read,
  reach,
  here,
}: Looking): Promise<{ readonly tries: number; readonly hits: number }> {
  const rows = await read(`${reach.sql} ${SELECT_TARGETS}`, ...reach.values)
  const hits = rows.filter(
    ({ target_day, completed_at }) => dayOf(Number(completed_at), here.zone) <= String(target_day),
  )
  return { tries: rows.length, hits: hits.length }
}

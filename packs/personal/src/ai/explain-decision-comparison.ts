import { defineTool, ToolError } from '@surehand/core'
import { z } from 'zod'
import type { Person } from '../person.ts'
import { personalData } from '../personal-data.ts'
import { openProjectContext, type ProjectContext } from '../project/project-context.ts'
import { type Comparison, compareOptions } from './compare-options.ts'
import { AGREEMENT_FORMULA, computeConfidence } from './confidence.ts'
import { createDataLoader } from './data-loader.ts'
import { type Demand, Link, readDemand } from './decision-links.ts'
import { explainError, requireConfidence } from './explain-error.ts'
import {
  type Advice,
  EXPLAIN_CONTRACT,
  Explanation,
  LeastConfidence,
  numberSteps,
} from './explanation.ts'
import { Factor, type Part } from './weigh.ts'

const Name = z.string().trim().min(1).max(100)
const OptionForm = z.object({
  name: Name,
  scores: z
    .record(Name, z.number().min(0).max(10))
    .default({})
    .describe(
      'The score for each criterion, 0 to 10; a missing one counts as 5 and is listed in the answer.',
    ),
  links: z
    .array(Link)
    .max(10)
    .optional()
    .describe(
      'Your own tasks, projects and habits that it is about; how pressing they are counts too.',
    ),
})
const CriterionForm = z.object({
  name: Name,
  weight: z.number().positive().max(100).describe('Only the proportion matters.'),
  better: z
    .enum(['higher', 'lower'])
    .default('higher')
    .describe('lower: lower scores are better, as for a price.'),
})
type OptionForm = z.infer<typeof OptionForm>
type CriterionForm = z.infer<typeof CriterionForm>

const Turn = z.object({
  criterion: z.string(),
  direction: z.enum(['above', 'below']),
  threshold: z.number().min(0).max(1),
  winner: z.string(),
  says: z.string(),
})

const Output = Explanation.extend({
  comparison: z.object({
    winner: z.string(),
    margin: z.number().describe('The lead over the second option, in points.'),
    options: z.array(
      z.object({
        rank: z.number().int(),
        name: z.string(),
        total_score: z.number(),
        factors: z.array(Factor),
      }),
    ),
    sensitivity: z
      .array(Turn)
      .describe(
        'The weight of one criterion at which another option would win, while the others keep their proportions.',
      ),
  }),
})

const OWN = 'Your own data'
const NEUTRAL = 5

export const explainDecisionComparison = defineTool({
  id: 'ai.explain_decision_comparison',
  title: 'Explain Decision Comparison',
  category: 'ai_explanation',
  version: '2.0.0',
  aliases: ['explain.decision', 'tools.ai.explain_decision_comparison'],
  command: 'explain.decision',
  description:
    'Compare options by weighted criteria, and by how pressing your own linked tasks, projects and habits are: which is best, why, by how much, and at which weight of a criterion another one would win.',
  input: z.object({
    question: z.string().trim().min(1).max(500),
    options: z.array(OptionForm).min(2).max(10),
    criteria: z.array(CriterionForm).min(1).max(10),
    own_data_share: z
      .number()
      .min(0.01)
      .max(0.9)
      .default(0.2)
      .describe('The share of your own data in the score, when an option has links.'),
    min_confidence: LeastConfidence,
  }),
  output: Output,
  contract: EXPLAIN_CONTRACT,
  ports: { data: personalData },
  examples: [
    {
      name: 'two options',
      description: 'By cost and joy',
      input: {
        question: 'Where to go in May?',
        options: [
          { name: 'Lisbon', scores: { cost: 6, joy: 9 } },
          { name: 'Balcony', scores: { cost: 1, joy: 5 } },
        ],
        criteria: [
          { name: 'cost', weight: 2, better: 'lower' },
          { name: 'joy', weight: 3 },
        ],
      },
    },
  ],
  async execute(execution): Promise<z.infer<typeof Output>> {
    const { question, options, criteria, own_data_share, min_confidence } = execution.input
    refuseUnknownNames(options, criteria)
    const gather = createDataLoader(execution)
    const context = await gather.required(() => openProjectContext(execution, 'ai.explain'))
    const demands = await gather.required(() => readDemands(options, context))
    const scores = options.flatMap(({ scores }) => Object.keys(scores)).length
    const linked = demands.filter((one) => one.length > 0).length
    if (scores + linked === 0)
      throw explainError(
        'EXPLAIN_INSUFFICIENT_DATA',
        'No option has any scores or links. Give scores for the criteria, or link your own tasks, projects and habits.',
        { scores: 0, needed: 1 },
      )
    const comparison = compareOptions(
      options.map((option, index) => ({
        name: option.name,
        parts: partsOf(option, criteria, {
          share: own_data_share,
          demands: demands[index] ?? [],
          isLinked: linked > 0,
        }),
      })),
    )
    const wanted = options.length * (criteria.length + (linked > 0 ? 1 : 0))
    const { best, margin } = comparison
    const confidence = computeConfidence(
      {
        known: scores + linked,
        wanted,
        certainty: Math.min(1, 0.5 + margin / 4),
        tries: 0,
        hits: 0,
      },
      best.factors.factors,
    )
    requireConfidence(confidence, min_confidence)
    const unsaid = listMissingScores(options, criteria)
    return {
      subject: { type: 'decision', id: execution.callId, name: question },
      reasoning: numberSteps(stepsOf(comparison)),
      factors: best.factors,
      confidence,
      recommendations: adviceOf(comparison),
      context: {
        generated_at: new Date(context.localTime.now).toISOString(),
        time_zone: context.localTime.zone,
        data_used: {
          options: options.length,
          criteria: criteria.length,
          linked_records: demands.flat().length,
        },
        is_partial: unsaid.length > 0,
        missing: unsaid,
        formulas: FORMULAS,
      },
      comparison: {
        winner: best.name,
        margin,
        options: comparison.ranked.map(({ name, factors }, index) => ({
          rank: index + 1,
          name,
          total_score: factors.total_score,
          factors: factors.factors,
        })),
        sensitivity: comparison.turns.map((turn) => ({
          ...turn,
          threshold: Math.round(turn.threshold * 1000) / 1000,
          says: describeTurn(turn),
        })),
      },
    }
  },
})

const FORMULAS = {
  data_quality: 'given scores and linked options ÷ all that were expected',
  model_certainty: '0.5 + points ahead of the next option ÷ 4, at most 1',
  factor_agreement: AGREEMENT_FORMULA,
  historical_accuracy: 'a half: past decisions are not stored',
}

function refuseUnknownNames(
  options: readonly OptionForm[],
  criteria: readonly CriterionForm[],
): void {
  const known = new Set(criteria.map(({ name }) => name))
  const unknown = options
    .flatMap(({ scores }) => Object.keys(scores))
    .find((name) => !known.has(name))
  const field =
    unknown !== undefined
      ? 'options'
      : known.size < criteria.length
        ? 'criteria'
        : new Set(options.map(({ name }) => name)).size < options.length
          ? 'options'
          : undefined
  if (field === undefined) return
  const why =
    unknown === undefined
      ? 'has the same name twice'
      : `scores "${unknown}", which is not a criterion`
  throw new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    `The options cannot be compared: ${field} ${why}. The criteria are ${[...known].join(', ')}.`,
    {
      details: { validation_errors: [{ field, error: why, provided_value: unknown ?? null }] },
    },
  )
}

function readDemands(
  options: readonly OptionForm[],
  context: ProjectContext & { readonly person: Person },
): Promise<readonly (readonly Demand[])[]> {
  return Promise.all(
    options.map(({ links = [] }) => Promise.all(links.map((link) => readDemand(link, context)))),
  )
}

type OwnData = {
  readonly share: number
  readonly demands: readonly Demand[]
  readonly isLinked: boolean
}

// Every option has the same parts, so that the weights are the same.
function partsOf(
  option: OptionForm,
  criteria: readonly CriterionForm[],
  { share, demands, isLinked }: OwnData,
): readonly Part[] {
  const sum = criteria.reduce((total, { weight }) => total + weight, 0)
  const left = isLinked ? 1 - share : 1
  const parts = criteria.map(({ name, weight, better }): Part => {
    const score = option.scores[name]
    const raw = score === undefined ? NEUTRAL : better === 'lower' ? 10 - score : score
    const said =
      score === undefined
        ? []
        : [
            {
              kind: 'given' as const,
              id: name,
              said: `"${option.name}" was given ${score} of 10 for ${name}${better === 'lower' ? ' (the less the better)' : ''}`,
            },
          ]
    return {
      id: `criterion:${name}`,
      name,
      category: 'criterion',
      weight: (weight / sum) * left,
      raw,
      confidence: score === undefined ? 0 : 0.9,
      evidence: said,
    }
  })
  if (!isLinked) return parts
  const mean =
    demands.length === 0 ? 0 : demands.reduce((total, { raw }) => total + raw, 0) / demands.length
  return [
    ...parts,
    {
      id: 'own_data',
      name: OWN,
      category: 'own_data',
      weight: share,
      raw: mean,
      confidence: demands.length === 0 ? 0.5 : 0.8,
      evidence: demands.map(({ evidence }) => evidence),
    },
  ]
}

function listMissingScores(
  options: readonly OptionForm[],
  criteria: readonly CriterionForm[],
): string[] {
  return options.flatMap(({ name, scores }) =>
    criteria
      .filter((one) => scores[one.name] === undefined)
      .map((one) => `${one.name} of "${name}" has no score and counts as ${NEUTRAL}`),
  )
}

function describeTurn({
  criterion,
  direction,
  threshold,
  winner,
}: Comparison['turns'][number]): string {
  return `"${winner}" wins if you weigh ${criterion} ${direction} ${Math.round(threshold * 100) / 100}.`
}

function stepsOf({ ranked, best, margin, turns }: Comparison) {
  return [
    {
      title: 'Weights',
      detail: best.factors.factors.map(({ name, weight }) => `${name} ${weight}`).join(', '),
      conclusion: 'They sum to 1.',
    },
    {
      title: 'Scores',
      detail: ranked
        .map(
          ({ name, factors }) =>
            `"${name}": ${factors.factors.map(({ weighted_contribution }) => weighted_contribution).join(' + ')} = ${factors.total_score}`,
        )
        .join('; '),
      conclusion:
        margin === 0
          ? `"${best.name}" and "${ranked[1]?.name}" have the same score.`
          : `"${best.name}" leads by ${margin}.`,
    },
    {
      title: 'How firm that is',
      detail: turns.map(describeTurn).join(' ') || 'No weight of a single criterion changes it.',
      conclusion:
        turns.length === 0
          ? 'The result holds for all weights.'
          : 'Beyond these weights the result changes.',
    },
  ]
}

function adviceOf({ ranked, best, margin, turns }: Comparison): Explanation['recommendations'] {
  const telling = [...best.factors.factors].sort(
    (one, other) => other.weighted_contribution - one.weighted_contribution,
  )[0]
  const near = turns.filter(
    ({ criterion, threshold }) =>
      Math.abs(
        threshold - (best.factors.factors.find(({ name }) => name === criterion)?.weight ?? 0),
      ) < 0.05,
  )
  const flags = [
    ...(margin === 0
      ? [`"${best.name}" and "${ranked[1]?.name}" have the same score: add another criterion`]
      : []),
    ...near.map((turn) => `It is close: ${describeTurn(turn)}`),
  ]
  const [, ...others] = ranked
  return {
    primary_recommendation: {
      action: `Choose "${best.name}"`,
      rationale: `It has ${best.factors.total_score} of 10, most of it for ${telling?.name ?? 'nothing'} (${telling?.weighted_contribution ?? 0}).`,
      expected_impact: `${margin} points of 10 more than the next.`,
      effort_level: 'low',
      time_sensitivity: 'flexible',
    },
    alternative_options: others.slice(0, 3).map(
      ({ name, factors }): Advice => ({
        action: `Choose "${name}"`,
        rationale: `It has ${factors.total_score} of 10.`,
        expected_impact:
          turns.find(({ winner }) => winner === name) === undefined
            ? 'No single weight makes it the best.'
            : turns
                .filter(({ winner }) => winner === name)
                .map(describeTurn)
                .join(' '),
        effort_level: 'low',
        time_sensitivity: 'flexible',
      }),
    ),
    ...(flags.length === 0 ? {} : { warning_flags: flags }),
  }
}

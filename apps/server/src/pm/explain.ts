import { safeLine, UsageError } from '@surehand/cli'
import { drawBar } from './charts.ts'
import { callForData, type PmContext, printResult } from './pm-context.ts'

type Factor = {
  readonly name: string
  readonly raw_score: number
  readonly weight: number
  readonly weighted_contribution: number
  readonly evidence: readonly unknown[]
}
type Explanation = {
  readonly subject: Readonly<Record<string, unknown>>
  readonly reasoning: { readonly steps: readonly unknown[] }
  readonly factors: { readonly total_score: number; readonly factors: readonly Factor[] }
  readonly confidence: { readonly overall_confidence: number; readonly confidence_level: string }
  readonly recommendations: {
    readonly primary_recommendation: { readonly action: string; readonly rationale: string }
    readonly alternative_options?: readonly { readonly action: string }[]
    readonly warning_flags?: readonly unknown[]
  }
}

type Subject = { readonly tool: string; readonly field: string | undefined }

const SUBJECTS: Readonly<Record<string, Subject>> = {
  task: { tool: 'ai.explain_task_recommendation', field: 'task' },
  habit: { tool: 'ai.explain_habit_patterns', field: 'habit_name' },
  project: { tool: 'ai.explain_project_health', field: 'project_name' },
  time: { tool: 'ai.explain_time', field: undefined },
}

/** Explains a score: the factors as bars, the evidence behind each, and the recommendations. */
export async function explain(
  context: PmContext,
  [kind = '', ...words]: readonly string[],
): Promise<number> {
  const subject = Object.hasOwn(SUBJECTS, kind) ? SUBJECTS[kind] : undefined
  if (subject === undefined)
    throw new UsageError(
      `"${kind}" cannot be explained.`,
      'surehand pm explain task|habit|project|time NAME',
    )
  const named =
    words.length === 0 || subject.field === undefined ? {} : { [subject.field]: words.join(' ') }
  const data = await callForData<Explanation>(context, subject.tool, named)
  return printResult(context, data, explanationLines(data))
}

type Recommended = {
  readonly recommendations: readonly {
    readonly action: string
    readonly rationale: string
    readonly factors: { readonly total_score: number }
  }[]
  readonly message: string
}

export async function recommend(context: PmContext): Promise<number> {
  const data = await callForData<Recommended>(context, 'ai.recommend', {})
  const lines = data.recommendations.flatMap(({ action, rationale, factors }, index) => [
    `${String(index + 1).padStart(3)}  ${drawBar(factors.total_score / 10, 10)}  ${safeLine(action)}`,
    `                   ${safeLine(rationale)}`,
  ])
  return printResult(context, data, lines.length === 0 ? [safeLine(data.message)] : lines)
}

export function explanationLines({
  subject,
  factors,
  confidence,
  recommendations,
  reasoning,
}: Explanation): readonly string[] {
  const {
    primary_recommendation: first,
    alternative_options: others = [],
    warning_flags: flags = [],
  } = recommendations
  return [
    `${safeLine(subject.name ?? subject.title ?? subject.id ?? '')}  ${factors.total_score.toFixed(1)} of 10  (confidence ${confidence.confidence_level}, ${Math.round(
      confidence.overall_confidence * 100,
    )}%)`,
    '',
    ...factors.factors.flatMap(factorLines),
    `  ${'together'.padEnd(30)} ${' '.repeat(12)} ${factors.total_score.toFixed(2).padStart(6)}`,
    '',
    ...reasoning.steps.map((step, index) => `  ${index + 1}. ${safeLine(textOf(step))}`),
    '',
    `→ ${safeLine(first.action)}`,
    `  ${safeLine(first.rationale)}`,
    ...others.map(({ action }) => `or ${safeLine(action)}`),
    ...flags.map((flag) => `!   ${safeLine(textOf(flag))}`),
  ]
}

function factorLines({
  name,
  raw_score,
  weight,
  weighted_contribution,
  evidence,
}: Factor): readonly string[] {
  const sum = `${raw_score.toFixed(1)} × ${weight.toFixed(2)}`
  return [
    `  ${safeLine(name).padEnd(30)} ${drawBar(raw_score / 10, 12)} ${weighted_contribution.toFixed(2).padStart(6)}   ${sum}`,
    ...evidence.slice(0, 3).map((item) => `      ${safeLine(textOf(item))}`),
  ]
}

// Evidence and steps are sentences, or objects that contain one.
function textOf(item: unknown): string {
  if (typeof item === 'string') return item
  const facts = item as Readonly<Record<string, unknown>>
  const words = ['said', 'conclusion', 'description'].map((name) => facts[name])
  const found = words.find((value) => typeof value === 'string')
  return typeof found === 'string' ? found : JSON.stringify(item)
}

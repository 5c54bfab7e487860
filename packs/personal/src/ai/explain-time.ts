import { defineTool } from '@surehand/core'
import type { Row } from '@surehand/core/internal'
import { addDays, timeOf } from '@surehand/dates'
import { z } from 'zod'
import { personalData } from '../personal-data.ts'
import { openProjectContext } from '../project/project-context.ts'
import type { ReadContext } from '../read-context.ts'
import { AGREEMENT_FORMULA, computeConfidence } from './confidence.ts'
import { createDataLoader } from './data-loader.ts'
import { explainError, requireConfidence } from './explain-error.ts'
import {
  type Advice,
  EXPLAIN_CONTRACT,
  Explanation,
  LeastConfidence,
  numberSteps,
} from './explanation.ts'
import {
  countKeptPlans,
  daysIn,
  findBestHour,
  type Session,
  type TimeFacts,
  timeFactors,
  totalMinutes,
} from './time-factors.ts'
import type { Factor, Factors } from './weigh.ts'

const FACTORS = 6
const PAST_DAYS = 90
const MOST_SESSIONS = 2_000

export const explainTime = defineTool({
  id: 'ai.explain_time',
  title: 'Explain Time',
  category: 'ai_explanation',
  version: '2.0.0',
  aliases: ['explain.time', 'tools.ai.explain_time'],
  command: 'explain.time',
  description:
    'Explain how well your deep work went over some days: how much, on how many days, how focused, how often interrupted, whether as planned and for what, with the sessions behind that, and what would help.',
  input: z.object({
    days: z.number().int().min(1).max(90).default(7).describe('How many days, including today.'),
    min_confidence: LeastConfidence,
  }),
  output: Explanation,
  contract: EXPLAIN_CONTRACT,
  ports: { data: personalData },
  examples: [{ name: 'the last week', description: 'Seven days', input: { days: 7 } }],
  async execute(execution): Promise<Explanation> {
    const { days, min_confidence } = execution.input
    const gather = createDataLoader(execution)
    const context = await gather.required(() => openProjectContext(execution, 'ai.explain'))
    const { today } = context.localTime
    const from = addDays(today, 1 - days)
    const facts: TimeFacts = {
      from,
      to: today,
      sessions: await gather.required(() => readTimeSessions(context, from)),
    }
    if (facts.sessions.length === 0)
      throw explainError(
        'EXPLAIN_INSUFFICIENT_DATA',
        `No deep work was recorded since ${from}. Start a session with time.deep_work_start, or look further back.`,
        { sessions: 0, needed: 1 },
      )
    const factors = timeFactors(facts)
    const past = await gather.optional(
      'past sessions',
      async () => countKeptPlans(await readTimeSessions(context, addDays(today, 1 - PAST_DAYS))),
      {
        tries: 0,
        hits: 0,
      },
    )
    const count = facts.sessions.length
    const confidence = computeConfidence(
      { known: factors.factors.length, wanted: FACTORS, certainty: count / (count + 3), ...past },
      factors.factors,
    )
    requireConfidence(confidence, min_confidence)
    return {
      subject: { type: 'time', id: `${from}/${today}`, name: `Deep work from ${from} to ${today}` },
      reasoning: numberSteps(stepsOf(facts, factors)),
      factors,
      confidence,
      recommendations: timeAdvice(facts, factors),
      context: {
        generated_at: new Date(context.localTime.now).toISOString(),
        time_zone: context.localTime.zone,
        period: { from, to: today },
        data_used: { sessions: count, planned_sessions: past.tries },
        is_partial: gather.missing.length > 0,
        missing: [...gather.missing],
        formulas: FORMULAS,
      },
    }
  },
})

const FORMULAS = {
  data_quality: 'factors that could be judged ÷ 6',
  model_certainty: 'sessions ÷ (sessions + 3)',
  factor_agreement: AGREEMENT_FORMULA,
  historical_accuracy: `(sessions of ${PAST_DAYS} days that came within a quarter of their plan + 1) ÷ (planned sessions + 2)`,
}

const SELECT_SESSIONS = `select id, subject, task_id, project_id, planned_minutes, started_at, stopped_at, day, focus, interruptions from pm_deep_work
  where tenant = ? and owner = ? and day >= ? and stopped_at is not null order by started_at limit ${MOST_SESSIONS}`

async function readTimeSessions(
  { read, person, localTime }: ReadContext,
  from: string,
): Promise<readonly Session[]> {
  return (await read(SELECT_SESSIONS, person.tenant, person.owner, from)).map((row) =>
    toTimeSession(row, localTime.zone),
  )
}

function toTimeSession(row: Row, zone: string): Session {
  const optional = (name: string) =>
    row[name] === null || row[name] === undefined ? undefined : Number(row[name])
  return {
    id: String(row.id),
    subject: String(row.subject),
    day: String(row.day),
    hour: Number(timeOf(Number(row.started_at), zone).slice(0, 2)),
    minutes: Math.round((Number(row.stopped_at) - Number(row.started_at)) / 60_000),
    planned: optional('planned_minutes'),
    focus: optional('focus'),
    interruptions: optional('interruptions'),
    isLinked: typeof row.task_id === 'string' || typeof row.project_id === 'string',
  }
}

function stepsOf(facts: TimeFacts, { factors, total_score }: Factors) {
  const best = findBestHour(facts.sessions)
  return [
    {
      title: 'What was recorded',
      detail: `${facts.sessions.length} sessions, ${totalMinutes(facts)} minutes in ${daysIn(facts)} days`,
      conclusion: `${Math.round(totalMinutes(facts) / daysIn(facts))} minutes a day.`,
    },
    {
      title: 'When',
      detail: `By the hour in which sessions began`,
      conclusion:
        best === undefined
          ? 'No hour stands out.'
          : `Most was done in sessions that began between ${best.hour} and ${best.hour + 1} o’clock: ${best.minutes} minutes.`,
    },
    {
      title: 'Together',
      detail: factors
        .map(({ name, weighted_contribution }) => `${name} ${weighted_contribution}`)
        .join(' + '),
      conclusion: `The use of time scores ${total_score} of 10.`,
    },
  ]
}

/** Recommendations about the factors that lower the score most. */
function timeAdvice(facts: TimeFacts, { factors }: Factors): Explanation['recommendations'] {
  const [first, ...others] = factors
    .filter(({ raw_score }) => raw_score < 8)
    .sort((one, other) => (10 - other.raw_score) * other.weight - (10 - one.raw_score) * one.weight)
    .map((factor) => adviceFor(factor, facts))
  return {
    primary_recommendation: first ?? KEEP_ON,
    ...(others.length === 0 ? {} : { alternative_options: others }),
  }
}

const KEEP_ON: Advice = {
  action: 'Continue as before',
  rationale: 'Every factor scores 8 or more.',
  expected_impact: 'It stays the same.',
  effort_level: 'low',
  time_sensitivity: 'flexible',
}

function adviceFor({ id, name, raw_score, weight, evidence }: Factor, facts: TimeFacts): Advice {
  const hour = findBestHour(facts.sessions)?.hour
  const base = {
    rationale: `${name}: ${raw_score} of 10${evidence[0] === undefined ? '' : `, such as ${evidence[0].said}`}.`,
    expected_impact: `Up to ${Math.round((10 - raw_score) * weight * 10) / 10} points of 10.`,
  }
  switch (id) {
    case 'volume':
      return {
        ...base,
        action: `Plan a session of deep work a day${hour === undefined ? '' : `, best at ${hour} o’clock`}`,
        effort_level: 'medium',
        time_sensitivity: 'today',
      }
    case 'regularity':
      return {
        ...base,
        action: 'Spread it over more days: short sessions count too',
        effort_level: 'low',
        time_sensitivity: 'this_week',
      }
    case 'focus':
      return {
        ...base,
        action: 'Do the hardest task of the day in your best hour, alone',
        effort_level: 'medium',
        time_sensitivity: 'this_week',
      }
    case 'calm':
      return {
        ...base,
        action: 'Turn off interruptions during a session',
        effort_level: 'low',
        time_sensitivity: 'today',
      }
    case 'plan':
      return {
        ...base,
        action: 'Plan realistic lengths for your sessions',
        effort_level: 'low',
        time_sensitivity: 'flexible',
      }
    default:
      return {
        ...base,
        action: 'Name the task or project when you start a session',
        effort_level: 'low',
        time_sensitivity: 'flexible',
      }
  }
}

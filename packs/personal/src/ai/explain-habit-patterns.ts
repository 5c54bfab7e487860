import { defineTool } from '@surehand/core'
import { addDays } from '@surehand/dates'
import { z } from 'zod'
import { findHabit, type Habit, readRun } from '../habit/habit.ts'
import { type Frequency, periodOf } from '../habit/period.ts'
import { currentStreak } from '../habit/streak.ts'
import { personalData } from '../personal-data.ts'
import { openProjectContext } from '../project/project-context.ts'
import type { ReadContext } from '../read-context.ts'
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
import { backtestHabit, type HabitFacts, habitFactors, weekdayRates } from './habit-factors.ts'
import type { Factor, Factors } from './weigh.ts'

const LEAST_RECORDS = 3
const FACTORS = 5

export const explainHabitPatterns = defineTool({
  id: 'ai.explain_habit_patterns',
  title: 'Explain Habit Patterns',
  category: 'ai_explanation',
  version: '2.0.0',
  aliases: ['explain.habit', 'tools.ai.explain_habit_patterns'],
  command: 'explain.habit',
  description:
    'Explain why a habit is stable or not: how often it is done, its streak, its trend, the weekdays on which it is missed, its quality, with the records behind that, and what would help.',
  input: z.object({
    habit_name: z.string().trim().min(1).max(200).describe('Its name, a part of it, or its id.'),
    days: z.number().int().min(14).max(730).default(84).describe('How many days to look back.'),
    min_confidence: LeastConfidence,
  }),
  output: Explanation,
  contract: EXPLAIN_CONTRACT,
  ports: { data: personalData },
  examples: [
    {
      name: 'a habit',
      description: 'The last twelve weeks',
      input: { habit_name: 'Morning meditation' },
    },
  ],
  async execute(execution): Promise<Explanation> {
    const { habit_name, days, min_confidence } = execution.input
    const gather = createDataLoader(execution)
    const context = await gather.required(() => openProjectContext(execution, 'ai.explain'))
    const habit = await gather.required(() =>
      findSubject(findHabit(context.read, context.person, { query: habit_name })),
    )
    const facts = await gather.required(() => readHabitFacts(habit, context, days))
    if (facts.records.length < LEAST_RECORDS)
      throw explainError(
        'EXPLAIN_INSUFFICIENT_DATA',
        `"${habit.name}" has ${facts.records.length} records since ${facts.from}, but a pattern needs ${LEAST_RECORDS}. Record it for some more days.`,
        {
          records: facts.records.length,
          needed: LEAST_RECORDS,
        },
      )
    const factors = habitFactors(facts)
    const past = backtestHabit(facts)
    const certainty = facts.records.length / (facts.records.length + 10)
    const confidence = computeConfidence(
      { known: factors.factors.length, wanted: FACTORS, certainty, ...past },
      factors.factors,
    )
    requireConfidence(confidence, min_confidence)
    return {
      subject: { type: 'habit', id: habit.id, name: habit.name },
      reasoning: numberSteps(stepsOf(facts, factors)),
      factors,
      confidence,
      recommendations: habitAdvice(facts, factors),
      context: {
        generated_at: new Date(context.localTime.now).toISOString(),
        time_zone: context.localTime.zone,
        period: { from: facts.from, to: facts.today },
        data_used: { habit_records: facts.records.length, predictions_tried: past.tries },
        is_partial: gather.missing.length > 0,
        missing: [...gather.missing],
        formulas: FORMULAS,
      },
    }
  },
})

const FORMULAS = {
  data_quality: 'factors that could be judged ÷ 5',
  model_certainty: 'records ÷ (records + 10)',
  factor_agreement: AGREEMENT_FORMULA,
  historical_accuracy:
    '(periods predicted correctly by earlier ones + 1) ÷ (periods predicted + 2)',
}

const SELECT_RECORDS =
  'select day, quality from pm_habit_records where tenant = ? and habit_id = ? and owner = ? and day >= ? and day <= ? order by day'

async function readHabitFacts(
  habit: Habit,
  { read, person, localTime }: ReadContext,
  days: number,
): Promise<HabitFacts> {
  const from = addDays(localTime.today, 1 - days)
  const [rows, run] = await Promise.all([
    read(SELECT_RECORDS, person.tenant, habit.id, person.owner, from, localTime.today),
    readRun(read, person, habit),
  ])
  const { id, name, frequency, startedOn } = habit
  return {
    id,
    name,
    frequency,
    startedOn,
    today: localTime.today,
    from,
    records: rows.map(({ day, quality }) => ({
      day: String(day),
      quality: quality === null ? undefined : Number(quality),
    })),
    streak: currentStreak(run, { day: localTime.today, zone: localTime.zone }, frequency),
    longest: run.best,
  }
}

function stepsOf(facts: HabitFacts, { factors, total_score }: Factors) {
  const rates = weekdayRates(facts)
  const [worst, best] = [rates.at(0), rates.at(-1)]
  const sorted = [...factors].sort((one, other) => one.raw_score - other.raw_score)
  return [
    {
      title: 'What was recorded',
      detail: `${facts.records.length} records since ${facts.from}`,
      conclusion: `The streak is ${facts.streak}, the longest was ${facts.longest}.`,
    },
    {
      title: 'Days of the week',
      detail:
        rates.map(({ name, rate }) => `${name} ${Math.round(rate * 100)} %`).join(', ') ||
        `It is ${facts.frequency}, so weekdays do not matter.`,
      conclusion:
        worst === undefined || best === undefined || worst.rate === best.rate
          ? 'No day stands out.'
          : `${best.name} is the best day, ${worst.name} the worst.`,
    },
    {
      title: 'Together',
      detail: factors
        .map(({ name, weighted_contribution }) => `${name} ${weighted_contribution}`)
        .join(' + '),
      conclusion: `"${facts.name}" scores ${total_score} of 10; its strongest factor is "${sorted.at(-1)?.name}", its weakest "${sorted[0]?.name}".`,
    },
  ]
}

const FALLING = 3.5
const STEADY = 5

/** Recommendations for a habit, about the factors that lower its score most. */
function habitAdvice(facts: HabitFacts, { factors }: Factors): Explanation['recommendations'] {
  const costly = factors
    // A habit that is done as often as before has nothing to go back to.
    .filter(({ id, raw_score }) => raw_score < (id === 'trend' ? STEADY : 8))
    .sort((one, other) => (10 - other.raw_score) * other.weight - (10 - one.raw_score) * one.weight)
    .map((factor) => adviceFor(factor, facts))
  const [first, ...others] = costly
  const flags = [
    ...(facts.streak === 0 ? [`The streak of "${facts.name}" is broken`] : []),
    ...(factors.some(({ id, raw_score }) => id === 'trend' && raw_score < FALLING)
      ? [`"${facts.name}" is done less and less often`]
      : []),
  ]
  return {
    primary_recommendation: first ?? adviseToContinue(facts),
    ...(others.length === 0 ? {} : { alternative_options: others }),
    ...(flags.length === 0 ? {} : { warning_flags: flags }),
  }
}

function adviceFor({ id, name, raw_score, weight, evidence }: Factor, facts: HabitFacts): Advice {
  const base = {
    rationale: evidence[0]?.said ?? `${name} scores ${raw_score} of 10.`,
    expected_impact: `Up to ${Math.round((10 - raw_score) * weight * 10) / 10} points of 10.`,
  }
  const worst = weekdayRates(facts)[0]?.name
  switch (id) {
    case 'consistency':
      return {
        ...base,
        action: `Make "${facts.name}" smaller, so that it can be done on a bad day`,
        effort_level: 'low',
        time_sensitivity: 'this_week',
      }
    case 'streak':
      return {
        ...base,
        ...streakAdvice(facts),
        effort_level: 'low',
      }
    case 'trend':
      return {
        ...base,
        action: `Find out what changed since "${facts.name}" went better, and link it to a cue that still works`,
        effort_level: 'medium',
        time_sensitivity: 'this_week',
      }
    case 'evenness':
      return {
        ...base,
        action: `Plan another time for "${facts.name}" on ${worst ?? 'the weekday it is missed on'}`,
        effort_level: 'low',
        time_sensitivity: 'this_week',
      }
    default:
      return {
        ...base,
        action: `Change how "${facts.name}" is done, so that it goes better`,
        effort_level: 'medium',
        time_sensitivity: 'flexible',
      }
  }
}

// A streak that runs is continued, not begun; what is done today cannot be done today once more.
function streakAdvice({
  name,
  streak,
  frequency,
  today,
  records,
}: HabitFacts): Pick<Advice, 'action' | 'time_sensitivity'> {
  const { from, to } = periodOf(today, frequency)
  const isDone = records.some(({ day }) => day >= from && day <= to)
  if (streak === 0)
    return { action: `Do "${name}" today to start a new streak`, time_sensitivity: 'today' }
  return isDone
    ? {
        action: `Do "${name}" again ${NEXT[frequency]} to continue the streak of ${streak}`,
        time_sensitivity: 'flexible',
      }
    : {
        action: `Do "${name}" ${THIS[frequency]} to keep the streak of ${streak}`,
        time_sensitivity: frequency === 'daily' ? 'today' : 'this_week',
      }
}

const NEXT: Readonly<Record<Frequency, string>> = {
  daily: 'tomorrow',
  weekly: 'next week',
  monthly: 'next month',
}
const THIS: Readonly<Record<Frequency, string>> = {
  daily: 'today',
  weekly: 'this week',
  monthly: 'this month',
}

function adviseToContinue(facts: HabitFacts): Advice {
  return {
    action: `Keep "${facts.name}" as it is`,
    rationale: 'Nothing in its records calls for a change.',
    expected_impact: 'It stays stable.',
    effort_level: 'low',
    time_sensitivity: 'flexible',
  }
}

import { defineTool } from '@surehand/core'
import { addDays } from '@surehand/dates'
import { z } from 'zod'
import { countedRun, findHabit, type Habit } from '../habit/habit.ts'
import { currentStreak } from '../habit/streak.ts'
import { personalData } from '../personal-data.ts'
import { lookingBy } from '../project/looking.ts'
import type { Opened } from '../task/opening.ts'
import { AGREEMENT_FORMULA, confidenceOf } from './confidence.ts'
import { demandConfidence, explainError, subjectOf } from './explain-error.ts'
import { EXPLAINS, LeastConfidence } from './explaining.ts'
import { Explanation, reasoningOf } from './explanation.ts'
import { gathering } from './gather.ts'
import { habitAdvice } from './habit-advice.ts'
import { backtest, type HabitFacts, habitFactors, weekdayRates } from './habit-factors.ts'
import type { Factors } from './weigh.ts'

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
    'Why a habit holds or does not: how often it is kept, its streak, its trend, the days of the week it breaks on, how well it goes, with the records behind that, and what would help.',
  input: z.object({
    habit_name: z.string().trim().min(1).max(200).describe('Its name, a part of it, or its id.'),
    days: z.number().int().min(14).max(730).default(84).describe('How many days to look back.'),
    min_confidence: LeastConfidence,
  }),
  output: Explanation,
  contract: EXPLAINS,
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
    const gather = gathering(execution)
    const looking = await gather.must(() => lookingBy(execution, 'ai.explain'))
    const habit = await gather.must(() =>
      subjectOf(findHabit(looking.read, looking.person, { said: habit_name })),
    )
    const facts = await gather.must(() => factsOf(habit, looking, days))
    if (facts.records.length < LEAST_RECORDS)
      throw explainError(
        'EXPLAIN_INSUFFICIENT_DATA',
        `"${habit.name}" has ${facts.records.length} records since ${facts.from}; a pattern needs ${LEAST_RECORDS}. Record it for some more days.`,
        {
          records: facts.records.length,
          needed: LEAST_RECORDS,
        },
      )
    const factors = habitFactors(facts)
    const past = backtest(facts)
    const certainty = facts.records.length / (facts.records.length + 10)
    const confidence = confidenceOf(
      { known: factors.factors.length, wanted: FACTORS, certainty, ...past },
      factors.factors,
    )
    demandConfidence(confidence, min_confidence)
    return {
      subject: { type: 'habit', id: habit.id, name: habit.name },
      reasoning: reasoningOf(stepsOf(facts, factors)),
      factors,
      confidence,
      recommendations: habitAdvice(facts, factors),
      context: {
        generated_at: new Date(looking.here.now).toISOString(),
        time_zone: looking.here.zone,
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
    '(periods whose keeping the earlier ones foretold + 1) ÷ (periods foretold + 2)',
}

const SELECT_RECORDS =
  'select day, quality from pm_habit_records where tenant = ? and habit_id = ? and owner = ? and day >= ? and day <= ? order by day'

async function factsOf(
  habit: Habit,
  { read, person, here }: Opened,
  days: number,
): Promise<HabitFacts> {
  const from = addDays(here.today, 1 - days)
  const [rows, run] = await Promise.all([
    read(SELECT_RECORDS, person.tenant, habit.id, person.owner, from, here.today),
    countedRun(read, person, habit),
  ])
  const { id, name, frequency, startedOn } = habit
  return {
    id,
    name,
    frequency,
    startedOn,
    today: here.today,
    from,
    records: rows.map(({ day, quality }) => ({
      day: String(day),
      quality: quality === null ? undefined : Number(quality),
    })),
    streak: currentStreak(run, { day: here.today, zone: here.zone }, frequency),
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
        `It is ${facts.frequency}, so days of the week tell nothing.`,
      conclusion:
        worst === undefined || best === undefined || worst.rate === best.rate
          ? 'No day stands out.'
          : `${best.name} holds best, ${worst.name} worst.`,
    },
    {
      title: 'Together',
      detail: factors
        .map(({ name, weighted_contribution }) => `${name} ${weighted_contribution}`)
        .join(' + '),
      conclusion: `"${facts.name}" holds to ${total_score} of 10; strongest is "${sorted.at(-1)?.name}", weakest "${sorted[0]?.name}".`,
    },
  ]
}

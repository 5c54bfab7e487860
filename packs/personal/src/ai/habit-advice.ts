import type { Advice, Explanation } from './explanation.ts'
import { type HabitFacts, weekdayRates } from './habit-factors.ts'
import type { Factor, Factors } from './weigh.ts'

const FALLING = 3.5

/** What would help a habit: about what costs it most. */
export function habitAdvice(
  facts: HabitFacts,
  { factors }: Factors,
): Explanation['recommendations'] {
  const costly = factors
    .filter(({ raw_score }) => raw_score < 8)
    .sort((one, other) => (10 - other.raw_score) * other.weight - (10 - one.raw_score) * one.weight)
    .map((factor) => adviceFor(factor, facts))
  const [first, ...others] = costly
  const flags = [
    ...(facts.streak === 0 ? [`The streak of "${facts.name}" is broken`] : []),
    ...(factors.some(({ id, raw_score }) => id === 'trend' && raw_score < FALLING)
      ? [`"${facts.name}" is kept less and less`]
      : []),
  ]
  return {
    primary_recommendation: first ?? keepOn(facts),
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
        action: `Make "${facts.name}" smaller, so that it can be kept on a bad day`,
        effort_level: 'low',
        time_sensitivity: 'this_week',
      }
    case 'streak':
      return {
        ...base,
        action: `Do "${facts.name}" today: a streak begins with one`,
        effort_level: 'low',
        time_sensitivity: 'today',
      }
    case 'trend':
      return {
        ...base,
        action: `Look at what changed since "${facts.name}" went better, and bind it to a cue that still holds`,
        effort_level: 'medium',
        time_sensitivity: 'this_week',
      }
    case 'evenness':
      return {
        ...base,
        action: `Plan another time for "${facts.name}" on ${worst ?? 'the day it breaks on'}`,
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

function keepOn(facts: HabitFacts): Advice {
  return {
    action: `Keep "${facts.name}" as it is`,
    rationale: 'Everything that was judged scores 8 or more.',
    expected_impact: 'It stays as it is.',
    effort_level: 'low',
    time_sensitivity: 'flexible',
  }
}

import type { Advice, Explanation } from './explanation.ts'
import { bestHour, type TimeFacts } from './time-factors.ts'
import type { Factor, Factors } from './weigh.ts'

/** What would help: about what costs most. */
export function timeAdvice(facts: TimeFacts, { factors }: Factors): Explanation['recommendations'] {
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
  action: 'Go on working as you do',
  rationale: 'Everything that was judged scores 8 or more.',
  expected_impact: 'It stays as it is.',
  effort_level: 'low',
  time_sensitivity: 'flexible',
}

function adviceFor({ id, name, raw_score, weight, evidence }: Factor, facts: TimeFacts): Advice {
  const hour = bestHour(facts.sessions)?.hour
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
        action: 'Take the hardest task of the day into your best hour, alone',
        effort_level: 'medium',
        time_sensitivity: 'this_week',
      }
    case 'calm':
      return {
        ...base,
        action: 'Shut off what interrupts you for the length of a session',
        effort_level: 'low',
        time_sensitivity: 'today',
      }
    case 'plan':
      return {
        ...base,
        action: 'Plan sessions as long as they really last',
        effort_level: 'low',
        time_sensitivity: 'flexible',
      }
    default:
      return {
        ...base,
        action: 'Say for which task or project a session is when you start it',
        effort_level: 'low',
        time_sensitivity: 'flexible',
      }
  }
}

import { addDays, type Day, dayOfWeek, daysBetween } from '@surehand/dates'
import { type Frequency, periodOf } from '../habit/period.ts'
import { measureSuccess } from '../habit/success.ts'
import type { Evidence } from './evidence.ts'
import { type Factors, type Part, weigh } from './weigh.ts'

type HabitRecord = { readonly day: Day; readonly quality: number | undefined }

/** The facts that the pattern of a habit is judged by. */
export type HabitFacts = {
  readonly id: string
  readonly name: string
  readonly frequency: Frequency
  readonly startedOn: Day
  readonly today: Day
  /** The first day of the period. */
  readonly from: Day
  /** The records since then, in order. */
  readonly records: readonly HabitRecord[]
  readonly streak: number
  readonly longest: number
}

// A longer streak does not raise the score any further.
const FIRM: Readonly<Record<Frequency, number>> = { daily: 21, weekly: 8, monthly: 6 }
const SHOWN = 3

/** How stable a habit is: its factors, each from 0 to 10. */
export function habitFactors(facts: HabitFacts): Factors {
  return weigh(
    [consistency(facts), streak(facts), trend(facts), evenness(facts), quality(facts)].flatMap(
      (part) => part ?? [],
    ),
  )
}

function consistency(facts: HabitFacts): Part {
  const { done, expected, rate } = measureSuccess(daysOf(facts), facts)
  return {
    id: 'consistency',
    name: 'How often it is done',
    category: 'consistency',
    weight: 0.35,
    raw: 10 * Math.min(1, rate ?? 0),
    confidence: expected / (expected + 5),
    evidence: [
      habitEvidence(
        facts,
        `"${facts.name}" was done ${done} of ${expected} times since ${facts.from}`,
        facts.today,
      ),
      ...latestEvidence(facts),
    ],
  }
}

function streak(facts: HabitFacts): Part {
  return {
    id: 'streak',
    name: 'The current streak',
    category: 'momentum',
    weight: 0.2,
    raw: (10 * facts.streak) / FIRM[facts.frequency],
    confidence: 0.95,
    evidence: [
      habitEvidence(
        facts,
        `"${facts.name}": a streak of ${facts.streak}, the longest ${facts.longest}`,
        facts.today,
      ),
    ],
  }
}

/** The later half of the period compared with the earlier half; 5 means no change. */
function trend(facts: HabitFacts): Part | undefined {
  const begin = firstDayOf(facts)
  const middle = addDays(begin, Math.floor(daysBetween(begin, facts.today) / 2))
  const earlier = measureSuccess(daysOf(facts), {
    ...facts,
    from: begin,
    today: addDays(middle, -1),
  })
  const later = measureSuccess(daysOf(facts), { ...facts, from: middle })
  if (earlier.rate === undefined || later.rate === undefined) return undefined
  const [was, is] = [Math.min(1, earlier.rate), Math.min(1, later.rate)]
  return {
    id: 'trend',
    name: 'Whether it improves',
    category: 'momentum',
    weight: 0.2,
    raw: 5 + 5 * (is - was),
    confidence:
      Math.min(earlier.expected, later.expected) / (Math.min(earlier.expected, later.expected) + 5),
    evidence: [
      habitEvidence(
        facts,
        `"${facts.name}" was done ${percent(was)} of the time until ${addDays(middle, -1)} and ${percent(is)} since`,
        middle,
      ),
    ],
  }
}

/** Only for daily habits: whether the habit is missed on certain weekdays. */
function evenness(facts: HabitFacts): Part | undefined {
  const rates = weekdayRates(facts)
  const [worst, best] = [rates.at(0), rates.at(-1)]
  if (worst === undefined || best === undefined || rates.length < 7) return undefined
  return {
    id: 'evenness',
    name: 'Whether every weekday is equally good',
    category: 'pattern',
    weight: 0.15,
    raw: 10 * (1 - (best.rate - worst.rate)),
    confidence: worst.chances / (worst.chances + 3),
    evidence: [
      habitEvidence(
        facts,
        best.rate === worst.rate
          ? `"${facts.name}" is done as often on every weekday (${percent(best.rate)})`
          : `"${facts.name}" is best on ${best.name} (${percent(best.rate)}) and worst on ${worst.name} (${percent(worst.rate)})`,
        facts.today,
      ),
    ],
  }
}

function quality(facts: HabitFacts): Part | undefined {
  const rated = facts.records.flatMap(({ day, quality: value }) =>
    value === undefined ? [] : [{ day, value }],
  )
  if (rated.length === 0) return undefined
  const mean = rated.reduce((sum, { value }) => sum + value, 0) / rated.length
  return {
    id: 'quality',
    name: 'How well it goes',
    category: 'quality',
    weight: 0.1,
    raw: ((mean - 1) / 4) * 10,
    confidence: rated.length / (rated.length + 3),
    evidence: rated
      .slice(-SHOWN)
      .map(({ day, value }) => recordEvidence(facts, day, `quality ${value} of 5`)),
  }
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

type WeekdayRate = { readonly name: string; readonly chances: number; readonly rate: number }

/**
 * The rate of each weekday, the worst first; empty unless the habit is daily. Today counts only
 * once it is done.
 */
export function weekdayRates({
  frequency,
  from,
  startedOn,
  today,
  records,
}: HabitFacts): readonly WeekdayRate[] {
  if (frequency !== 'daily') return []
  const done = new Set(records.map(({ day }) => day))
  const days: Day[] = []
  for (
    let day = firstDayOf({ from, startedOn });
    day < today || (day === today && done.has(today));
    day = addDays(day, 1)
  )
    days.push(day)
  const byWeekday = [...Map.groupBy(days, dayOfWeek)]
  return byWeekday
    .map(([weekday, all]) => ({
      name: WEEKDAYS[weekday - 1] ?? '',
      chances: all.length,
      rate: all.filter((day) => done.has(day)).length / all.length,
    }))
    .sort((one, other) => one.rate - other.rate || (one.name < other.name ? -1 : 1))
}

/**
 * Predicts each period from the earlier ones, and counts how many predictions there were and how
 * many were right.
 */
export function backtestHabit({ frequency, from, startedOn, today, records }: HabitFacts): {
  readonly tries: number
  readonly hits: number
} {
  const done = new Set(records.map(({ day }) => periodOf(day, frequency).from))
  const periods: boolean[] = []
  const first = periodOf(firstDayOf({ from, startedOn }), frequency).from
  for (
    let day = first;
    day < periodOf(today, frequency).from;
    day = addDays(periodOf(day, frequency).to, 1)
  )
    periods.push(done.has(day))
  // A day is predicted from earlier days of the same weekday; a week or month from all earlier
  // ones.
  const stride = frequency === 'daily' ? 7 : 1
  let [tries, hits] = [0, 0]
  for (let index = 2 * stride; index < periods.length; index++) {
    const before = periods.filter((_, other) => other < index && (index - other) % stride === 0)
    const isExpected = before.filter(Boolean).length * 2 >= before.length
    tries++
    if (isExpected === periods[index]) hits++
  }
  return { tries, hits }
}

// Days are texts that sort in chronological order.
function firstDayOf({ from, startedOn }: Pick<HabitFacts, 'from' | 'startedOn'>): Day {
  return from > startedOn ? from : startedOn
}

function daysOf({ records }: HabitFacts): readonly Day[] {
  return records.map(({ day }) => day)
}

function latestEvidence(facts: HabitFacts): readonly Evidence[] {
  return facts.records.slice(-SHOWN).map(({ day }) => recordEvidence(facts, day, 'done'))
}

function habitEvidence({ id }: HabitFacts, said: string, at: Day): Evidence {
  return { kind: 'habit', id, said, at }
}

function recordEvidence({ id, name }: HabitFacts, day: Day, said: string): Evidence {
  return { kind: 'habit_record', id: `${id}/${day}`, said: `"${name}": ${said}`, at: day }
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

import { defineTool } from '@surehand/core'
import { addDays, type Day, daysBetween } from '@surehand/dates'
import { z } from 'zod'
import type { Person } from '../person.ts'
import { personalData, type Reader } from '../personal-data.ts'
import { findHabit, HABIT_COLUMNS, type Habit, toHabit } from './habit.ts'
import { openHabits } from './habit-context.ts'
import { findPattern, type Pattern } from './patterns/find-pattern.ts'
import { readRecordsSince } from './patterns/records.ts'
import { PARTS_OF_DAY } from './patterns/times.ts'
import { ENOUGH_CHANCES } from './patterns/trend.ts'
import { WEEKDAYS } from './patterns/weekdays.ts'
import { unitOf } from './period.ts'
import { habitPermissions } from './permissions.ts'
import { CivilDay, HabitName, Rate } from './shapes.ts'

/** A daily habit with the set of days on which it was done. */
type DoneDays = {
  readonly id: string
  readonly name: string
  readonly startedOn: Day
  readonly days: ReadonlySet<Day>
}

type Correlation = {
  readonly habits: [string, string]
  /** The phi coefficient, −1 to 1: 1 when the two are always done on the same days. */
  readonly coefficient: number
  readonly days: number
}

const ENOUGH_DAYS = 30
const ENOUGH_OF_EACH = 5
const CLEAR = 0.3
// Chi-square with one degree of freedom at 0.1 %. Twenty habits form 190 pairs, and none of them
// should correlate by chance.
const BEYOND_CHANCE = 10.83

/** Pairs of habits that correlate positively or negatively beyond chance, the strongest first. */
export function findCorrelations(
  habits: readonly DoneDays[],
  { from, to }: { readonly from: Day; readonly to: Day },
): readonly Correlation[] {
  // Computed once, because there are many pairs.
  const days = daysOf(from, to)
  const found = habits.flatMap((one, index) =>
    habits.slice(index + 1).flatMap((other) => {
      const common = days.filter((day) => day >= one.startedOn && day >= other.startedOn)
      const correlation = correlate(one.days, other.days, common)
      return correlation === undefined
        ? []
        : [{ habits: [one.name, other.name] as [string, string], ...correlation }]
    }),
  )
  return found.sort((one, other) => Math.abs(other.coefficient) - Math.abs(one.coefficient))
}

function daysOf(from: Day, to: Day): readonly Day[] {
  return Array.from({ length: Math.max(0, daysBetween(from, to) + 1) }, (_, index) =>
    addDays(from, index),
  )
}

/** Correlates two sets of days within the given days; undefined when there is not enough data. */
export function correlate(
  one: ReadonlySet<Day>,
  other: ReadonlySet<Day>,
  among: readonly Day[],
): { readonly coefficient: number; readonly days: number } | undefined {
  let [both, onlyOne, onlyOther, neither] = [0, 0, 0, 0]
  for (const day of among) {
    if (one.has(day)) other.has(day) ? both++ : onlyOne++
    else other.has(day) ? onlyOther++ : neither++
  }
  const days = among.length
  const sides = [both + onlyOne, onlyOther + neither, both + onlyOther, onlyOne + neither]
  if (days < ENOUGH_DAYS || sides.some((side) => side < ENOUGH_OF_EACH)) return undefined
  const phi =
    (both * neither - onlyOne * onlyOther) /
    Math.sqrt(sides.reduce((product, side) => product * side, 1))
  // The square root is rounded, so a perfect correlation could come out above 1.
  const coefficient = Math.max(-1, Math.min(1, phi))
  const isClear = Math.abs(coefficient) >= CLEAR && days * coefficient ** 2 >= BEYOND_CHANCE
  return isClear ? { coefficient, days } : undefined
}

const PatternView = z.object({
  id: z.string(),
  name: z.string(),
  frequency: z.string(),
  completions: z.int(),
  expected: z.int(),
  success_rate: Rate.optional(),
  enough_data: z.boolean().describe('Whether there is enough data for a pattern'),
  weekdays: z.array(
    z.object({
      weekday: z.enum(WEEKDAYS),
      completions: z.int(),
      opportunities: z.int(),
      rate: Rate,
    }),
  ),
  best_weekday: z.enum(WEEKDAYS).optional(),
  worst_weekday: z.enum(WEEKDAYS).optional(),
  times: z.array(
    z.object({
      part: z.enum(PARTS_OF_DAY),
      completions: z.int(),
      average_quality: z.number().optional(),
    }),
  ),
  best_time: z.enum(PARTS_OF_DAY).optional(),
  worst_time: z.enum(PARTS_OF_DAY).optional(),
  trend: z
    .object({
      direction: z.enum(['improving', 'steady', 'declining']),
      earlier_rate: Rate,
      later_rate: Rate,
    })
    .optional()
    .describe('The later half of the period compared with the earlier half'),
  average_quality: z.number().optional(),
})

// Every pair of habits is compared, so the work grows with the square of this number.
const MOST_HABITS = 50
const SELECT_ACTIVE = `select ${HABIT_COLUMNS} from pm_habits where tenant = ? and owner = ? and state = 'active' order by name_key, id limit ?`

export const habitAnalyzePatterns = defineTool({
  id: 'habit.analyze_patterns',
  title: 'Analyze Habit Patterns',
  category: 'habit_management',
  version: '2.0.0',
  author: 'PersonalManager Core Team',
  aliases: ['tools.habit.analyze_patterns'],
  description:
    'Analyze the records of one habit, or of all active habits, over the last days: how often each was done, its best and worst weekdays and times of day, its trend, and which habits go together. Reports only what there is enough data for.',
  input: z.object({
    habit_name: HabitName.optional().describe(
      'Name, partial name or id of one habit; all active habits when left out',
    ),
    days: z.int().min(7).max(366).default(90).describe('How many days to look back'),
  }),
  output: z.object({
    period: z.object({ from: CivilDay, to: CivilDay, days: z.int() }),
    habits: z.array(PatternView),
    correlations: z.array(
      z.object({
        habits: z.tuple([z.string(), z.string()]),
        coefficient: z.number().min(-1).max(1),
        days: z.int(),
        meaning: z.string(),
      }),
    ),
    insights: z.array(z.string()),
  }),
  contract: {
    effect: 'read',
    permissions: habitPermissions('read'),
    securityLevel: 'internal',
    limits: [
      { calls: 30, per: '1m' },
      { calls: 300, per: '1h' },
    ],
  },
  ports: { data: personalData },
  examples: [
    { name: 'all_habits', description: 'All active habits of the last 90 days', input: {} },
    {
      name: 'one_habit',
      description: 'One habit of the last 30 days',
      input: { habit_name: 'meditation', days: 30 },
    },
  ],
  async execute(execution) {
    const { read, person, localTime } = await openHabits(execution)
    const { days, habit_name: query } = execution.input
    const span = { from: addDays(localTime.today, 1 - days), today: localTime.today }
    const habits = await findHabits(read, person, query)
    const [only] = query === undefined ? [] : habits
    const records = await readRecordsSince(read, person, { from: span.from, habitId: only?.id })
    const patterns = habits.map((habit) => ({
      habit,
      pattern: findPattern(habit, records.get(habit.id) ?? [], span),
    }))
    const daily = habits.filter(({ frequency }) => frequency === 'daily')
    const correlations = findCorrelations(
      daily.map(({ id, name, startedOn }) => ({
        id,
        name,
        startedOn,
        days: new Set((records.get(id) ?? []).map(({ day }) => day)),
      })),
      // Today is not over, so a habit that is not done yet today must not count as missed.
      { from: span.from, to: addDays(localTime.today, -1) },
    )
    return {
      period: { from: span.from, to: span.today, days },
      habits: patterns.map(({ habit: { id, name, frequency }, pattern }) => ({
        id,
        name,
        frequency,
        ...pattern,
      })),
      correlations: correlations
        .slice(0, 20)
        .map((one) => ({ ...one, meaning: describeCorrelation(one) })),
      insights: [
        ...patterns.flatMap(({ habit, pattern }) => describePattern(habit, pattern)),
        ...correlations.slice(0, 3).map(describeCorrelation),
      ],
    }
  },
})

async function findHabits(
  read: Reader,
  person: Person,
  query: string | undefined,
): Promise<readonly Habit[]> {
  if (query !== undefined) return [await findHabit(read, person, { query })]
  return (await read(SELECT_ACTIVE, person.tenant, person.owner, MOST_HABITS)).map(toHabit)
}

/** Describes a pattern in sentences that a person can act on. */
function describePattern(habit: Habit, pattern: Pattern): readonly string[] {
  const { frequency, name } = habit
  const { expected, completions, success_rate: rate, trend } = pattern
  if (!pattern.enough_data)
    return [
      `"${name}" has ${expected} of the ${ENOUGH_CHANCES[frequency]} ${unitOf(frequency)} that a pattern needs.`,
    ]
  return [
    `"${name}" was done in ${completions} of ${expected} ${unitOf(frequency)} (${percent(rate ?? 0)}).`,
    ...(pattern.best_weekday === undefined || pattern.worst_weekday === undefined
      ? []
      : [
          `"${name}" goes best on ${capital(pattern.best_weekday)}s and worst on ${capital(pattern.worst_weekday)}s.`,
        ]),
    ...(pattern.best_time === undefined
      ? []
      : [`"${name}" goes best ${at(pattern.best_time)}${worstTime(pattern)}.`]),
    ...(trend === undefined || trend.direction === 'steady'
      ? []
      : [
          `"${name}" is ${trend.direction}: ${percent(trend.earlier_rate)} before, ${percent(trend.later_rate)} lately.`,
        ]),
  ]
}

function describeCorrelation({ habits: [one, other], coefficient, days }: Correlation): string {
  const meaning =
    coefficient > 0 ? 'are mostly done on the same days' : 'are mostly done on different days'
  return `"${one}" and "${other}" ${meaning} (${coefficient.toFixed(2)} over ${days} days).`
}

function worstTime({ worst_time: worst }: Pattern): string {
  return worst === undefined ? '' : ` and worst ${at(worst)}`
}

function at(part: string): string {
  return part === 'night' ? 'at night' : `in the ${part}`
}

function percent(rate: number): string {
  return `${Math.round(rate * 100)} %`
}

function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`
}

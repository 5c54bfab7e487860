import { defineTool } from '@surehand/core'
import { addDays, daysBetween } from '@surehand/dates'
import { z } from 'zod'
import type { LocalTime } from '../local-time.ts'
import { personalData } from '../personal-data.ts'
import { HABIT_COLUMNS, type Habit, readRun, toHabit } from './habit.ts'
import { openHabits, placedToday } from './habit-context.ts'
import { isDoneNow, streakWords } from './habit-view.ts'
import { findPattern, type Pattern } from './patterns/find-pattern.ts'
import { readRecordsSince } from './patterns/records.ts'
import { periodOf, unitOf } from './period.ts'
import { habitPermissions } from './permissions.ts'
import { CivilDay, type Difficulty, HabitCategory, Rate } from './shapes.ts'
import { currentStreak, type Run } from './streak.ts'

const ACTIONS = [
  'do_now',
  'take_up_again',
  'make_easier',
  'set_reminder',
  'set_cue',
  'make_harder',
  'begin_small',
  'focus',
] as const

const LOOK_BACK_DAYS = 60
const MOST_HABITS = 200
const SELECT_ACTIVE = `select ${HABIT_COLUMNS} from pm_habits where tenant = ? and owner = ? and state = 'active' order by name_key, id limit ?`

export const habitRecommend = defineTool({
  id: 'habit.recommend',
  title: 'Recommend Habit Changes',
  category: 'habit_management',
  version: '2.0.0',
  author: 'PersonalManager Core Team',
  aliases: ['tools.habit.recommend'],
  description:
    "Recommend what would help most with the habits now: do one before its streak ends, resume one, make one smaller, set a reminder or a cue, archive one. Computed from the person's records, each with its reasons and, if possible, the call that carries it out.",
  input: z.object({
    category: HabitCategory.optional().describe('Only habits of this category'),
    limit: z.int().min(1).max(20).default(5),
  }),
  output: z.object({
    recommendations: z.array(
      z.object({
        action: z.enum(ACTIONS),
        habit: z.object({ id: z.string(), name: z.string() }).optional(),
        title: z.string(),
        reasons: z.array(z.string()),
        score: Rate.describe('How strongly the records support it, 0 to 1'),
        call: z.object({ tool: z.string(), input: z.record(z.string(), z.json()) }).optional(),
      }),
    ),
    based_on: z.object({ habits: z.int(), records: z.int(), from: CivilDay, to: CivilDay }),
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
    { name: 'what_helps', description: 'What would help most now', input: {} },
    {
      name: 'about_health',
      description: 'Recommendations for one category',
      input: { category: 'health', limit: 3 },
    },
  ],
  async execute(execution) {
    const { read, person, localTime } = await openHabits(execution)
    const { category, limit } = execution.input
    const span = { from: addDays(localTime.today, 1 - LOOK_BACK_DAYS), today: localTime.today }
    const rows = await read(SELECT_ACTIVE, person.tenant, person.owner, MOST_HABITS)
    const habits = rows
      .map(toHabit)
      .filter((habit) => category === undefined || habit.category === category)
    const records = await readRecordsSince(read, person, { from: span.from })
    const known = await Promise.all(
      habits.map(async (habit) => ({
        habit,
        run: await readRun(read, person, habit),
        pattern: findPattern(habit, records.get(habit.id) ?? [], span),
      })),
    )
    return {
      recommendations: recommendForHabits(known, localTime).slice(0, limit),
      based_on: {
        habits: known.length,
        records: known.reduce((sum, { habit }) => sum + (records.get(habit.id)?.length ?? 0), 0),
        from: span.from,
        to: span.today,
      },
    }
  },
})

type Recommendation = {
  readonly action: (typeof ACTIONS)[number]
  readonly habit?: { readonly id: string; readonly name: string }
  readonly title: string
  /** The facts in the person's own records that support it. */
  readonly reasons: string[]
  /** 0 to 1: how strongly the records support it. */
  readonly score: number
  /** The tool call that carries it out. */
  readonly call?: { readonly tool: string; readonly input: Record<string, string> }
}

/** The data that recommendations are computed from. */
type KnownHabit = { readonly habit: Habit; readonly run: Run; readonly pattern: Pattern }

type Rule = (
  known: KnownHabit,
  localTime: LocalTime,
  others: readonly KnownHabit[],
) => Recommendation | undefined

const EASIER: Readonly<Record<Difficulty, Difficulty | undefined>> = {
  hard: 'medium',
  medium: 'easy',
  easy: 'tiny',
  tiny: undefined,
}
const HARDER: Readonly<Record<Difficulty, Difficulty | undefined>> = {
  tiny: 'easy',
  easy: 'medium',
  medium: 'hard',
  hard: undefined,
}
const REMINDERS = {
  morning: '08:00',
  afternoon: '14:00',
  evening: '19:00',
  night: '22:00',
} as const
const SELDOM = 0.5
const MOSTLY = 0.8
const NEARLY_ALWAYS = 0.9
const LONG_AGO_DAYS = 60
const TOO_MANY_STRUGGLES = 3

/**
 * What would help this person most with their habits, the strongest first, at most one per habit
 * and kind.
 */
function recommendForHabits(
  known: readonly KnownHabit[],
  localTime: LocalTime,
): readonly Recommendation[] {
  if (known.length === 0) return [recommendSmallStart()]
  const found = known.flatMap((one) => RULES.flatMap((rule) => rule(one, localTime, known) ?? []))
  return [...recommendFocus(known), ...found].sort(
    (one, other) => other.score - one.score || (one.title < other.title ? -1 : 1),
  )
}

const doNow: Rule = ({ habit, run }, localTime) => {
  const streak = currentStreak(run, placedToday(localTime), habit.frequency)
  if (streak === 0 || isDoneNow(habit, run, localTime)) return undefined
  const daysLeft = daysBetween(localTime.today, periodOf(localTime.today, habit.frequency).to)
  const words = streakWords(streak, unitOf(habit.frequency))
  return {
    action: 'do_now',
    ...aboutHabit(habit),
    title: `Do "${habit.name}" today`,
    reasons: [
      `A streak of ${words} ends ${daysLeft === 0 ? 'tonight' : `in ${daysLeft} days`} without it.`,
      `The longest was ${streakWords(run.best, unitOf(habit.frequency))}.`,
    ],
    // The weight of a streak grows fast and then slowly: three periods count half, ten nearly all.
    // Days that are left lower it.
    score: (streak / (streak + 3)) * (1 / (1 + daysLeft / 4)),
    call: { tool: 'habit.record_completion', input: { habit_name: habit.id } },
  }
}

const takeUpAgain: Rule = ({ habit, run }, localTime) => {
  if (run.last === undefined || currentStreak(run, placedToday(localTime), habit.frequency) > 0)
    return undefined
  const away = daysBetween(run.last.day, localTime.today)
  if (away > LONG_AGO_DAYS || run.best < 3) return undefined
  return {
    action: 'take_up_again',
    ...aboutHabit(habit),
    title: `Resume "${habit.name}"`,
    reasons: [
      `It was last done ${away} days ago.`,
      `You have kept it for ${streakWords(run.best, unitOf(habit.frequency))} in a row before.`,
    ],
    score: 0.6 * (1 - away / (LONG_AGO_DAYS + 1)),
    call: { tool: 'habit.record_completion', input: { habit_name: habit.id } },
  }
}

const makeEasier: Rule = ({ habit, pattern }) => {
  const easier = EASIER[habit.difficulty]
  const { success_rate: rate = 1, expected, completions } = pattern
  if (easier === undefined || !pattern.enough_data || rate >= SELDOM) return undefined
  return {
    action: 'make_easier',
    ...aboutHabit(habit),
    title: `Make "${habit.name}" smaller: from ${habit.difficulty} to ${easier}`,
    reasons: [
      `It was done in ${completions} of ${expected} ${unitOf(habit.frequency)}.`,
      'A habit that is kept can grow later.',
    ],
    score: 0.8 * (1 - rate),
    call: { tool: 'habit.update', input: { habit_name: habit.id, difficulty: easier } },
  }
}

const setReminder: Rule = ({ habit, pattern }) => {
  const { success_rate: rate = 1, best_time: best, completions, expected } = pattern
  if (habit.reminderTime !== null || best === undefined || !pattern.enough_data || rate >= MOSTLY)
    return undefined
  return {
    action: 'set_reminder',
    ...aboutHabit(habit),
    title: `Set a reminder for "${habit.name}" at ${REMINDERS[best]}`,
    reasons: [
      `It has no reminder and was done in ${completions} of ${expected} ${unitOf(habit.frequency)}.`,
      `It goes best in the ${best}.`,
    ],
    score: 0.5 * (1 - rate),
    call: { tool: 'habit.update', input: { habit_name: habit.id, reminder_time: REMINDERS[best] } },
  }
}

const setCue: Rule = ({ habit, pattern }, _moment, others) => {
  const { success_rate: rate = 1, completions, expected } = pattern
  if (habit.cue !== null || habit.frequency !== 'daily' || !pattern.enough_data || rate >= MOSTLY)
    return undefined
  const anchor = findStrongest(
    others.filter((other) => other.habit.id !== habit.id && other.habit.frequency === 'daily'),
  )
  if (anchor === undefined) return undefined
  const cue = `After "${anchor.habit.name}"`
  return {
    action: 'set_cue',
    ...aboutHabit(habit),
    title: `Do "${habit.name}" right after "${anchor.habit.name}"`,
    reasons: [
      `It has no cue and was done in ${completions} of ${expected} days.`,
      `"${anchor.habit.name}" was done in ${anchor.pattern.completions} of ${anchor.pattern.expected} days.`,
    ],
    score: 0.6 * (1 - rate),
    call: { tool: 'habit.update', input: { habit_name: habit.id, cue } },
  }
}

const makeHarder: Rule = ({ habit, pattern }) => {
  const harder = HARDER[habit.difficulty]
  const { success_rate: rate = 0, completions, expected } = pattern
  if (harder === undefined || !pattern.enough_data || rate < NEARLY_ALWAYS) return undefined
  return {
    action: 'make_harder',
    ...aboutHabit(habit),
    title: `Let "${habit.name}" grow: from ${habit.difficulty} to ${harder}`,
    reasons: [`It was done in ${completions} of ${expected} ${unitOf(habit.frequency)}.`],
    score: 0.3 * rate,
    call: { tool: 'habit.update', input: { habit_name: habit.id, difficulty: harder } },
  }
}

const RULES: readonly Rule[] = [doNow, takeUpAgain, makeEasier, setReminder, setCue, makeHarder]

function recommendFocus(known: readonly KnownHabit[]): readonly Recommendation[] {
  const struggling = known
    .filter(({ pattern }) => pattern.enough_data && (pattern.success_rate ?? 1) < SELDOM)
    .sort((one, other) => (one.pattern.success_rate ?? 0) - (other.pattern.success_rate ?? 0))
  const [weakest] = struggling
  if (weakest === undefined || struggling.length < TOO_MANY_STRUGGLES) return []
  return [
    {
      action: 'focus',
      ...aboutHabit(weakest.habit),
      title: `Archive "${weakest.habit.name}" for now`,
      reasons: [
        `${struggling.length} of ${known.length} habits were done less than half of the time: fewer at once are easier to keep.`,
        `It was done in ${weakest.pattern.completions} of ${weakest.pattern.expected} ${unitOf(weakest.habit.frequency)}, the least of all.`,
      ],
      score: 0.7,
      call: { tool: 'habit.update', input: { habit_name: weakest.habit.id, status: 'archived' } },
    },
  ]
}

function findStrongest(known: readonly KnownHabit[]): KnownHabit | undefined {
  return known
    .filter(({ pattern }) => pattern.enough_data && (pattern.success_rate ?? 0) >= MOSTLY)
    .toSorted(
      (one, other) => (other.pattern.success_rate ?? 0) - (one.pattern.success_rate ?? 0),
    )[0]
}

function recommendSmallStart(): Recommendation {
  return {
    action: 'begin_small',
    title: 'Start with one tiny habit',
    reasons: ['There are no active habits yet.'],
    score: 0.5,
  }
}

function aboutHabit({ id, name }: Habit): {
  readonly habit: { readonly id: string; readonly name: string }
} {
  return { habit: { id, name } }
}

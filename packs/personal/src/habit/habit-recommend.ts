import { defineTool } from '@surehand/core'
import { addDays } from '@surehand/dates'
import { z } from 'zod'
import { personalData } from '../personal-data.ts'
import { HABIT_COLUMNS, readRun, toHabit } from './habit.ts'
import { openHabits } from './habit-context.ts'
import { findPattern } from './patterns/find-pattern.ts'
import { readRecordsSince } from './patterns/records.ts'
import { habitPermissions } from './permissions.ts'
import { ACTIONS, recommendForHabits } from './recommendations.ts'
import { CivilDay, HabitCategory, Rate } from './shapes.ts'

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

import { defineTool } from '@surehand/core'
import type { SqlValue } from '@surehand/core/internal'
import { PageCursor } from '@surehand/documents'
import { z } from 'zod'
import { nameKey } from '../name-key.ts'
import type { Person } from '../person.ts'
import { personalData, type Reader } from '../personal-data.ts'
import { countedRun, HABIT_COLUMNS, type Habit, toHabit } from './habit.ts'
import { habitInfo, isDoneNow, streakView } from './habit-view.ts'
import { openHabits } from './moment.ts'
import { cursorAfter, readCursor } from './page.ts'
import { habitPermissions } from './permissions.ts'
import { HabitCategory, HabitFrequency, HabitInfo, Streak } from './shapes.ts'

const input = z.object({
  status: z.enum(['active', 'archived', 'all']).default('active'),
  category: HabitCategory.optional(),
  frequency: HabitFrequency.optional(),
  limit: z.int().min(1).max(200).default(50),
  cursor: PageCursor.optional(),
})

export const habitList = defineTool({
  id: 'habit.list',
  title: 'List Habits',
  category: 'habit_management',
  version: '2.0.0',
  author: 'PersonalManager Core Team',
  aliases: ['tools.habit.list'],
  description:
    'The habits of the person by name, each with its streak and whether it is done for this day, week or month. Active ones unless said otherwise; in pages.',
  input,
  output: z.object({
    habits: z.array(
      HabitInfo.extend({
        status: z.enum(['active', 'archived']),
        reminder_time: z.string().optional(),
        is_done: z.boolean().describe('Done for this day, week or month'),
        streak: Streak,
      }),
    ),
    total: z.int(),
    next_cursor: z.string().optional(),
  }),
  contract: {
    effect: 'read',
    permissions: habitPermissions('read'),
    securityLevel: 'internal',
    limits: [
      { calls: 60, per: '1m' },
      { calls: 1000, per: '1h' },
    ],
  },
  ports: { data: personalData },
  examples: [
    { name: 'all_active', description: 'The active habits', input: {} },
    {
      name: 'of_a_category',
      description: 'Habits of one category, ten at a time',
      input: { category: 'health', limit: 10 },
    },
  ],
  async execute(execution) {
    const { read, person, moment } = await openHabits(execution)
    const { rows, total, cursor } = await page(read, person, execution.input)
    const habits = await Promise.all(
      rows.map(async (habit) => {
        const run = await countedRun(read, person, habit)
        return {
          ...habitInfo(habit),
          status: habit.state === 'active' ? ('active' as const) : ('archived' as const),
          ...(habit.reminderTime === null ? {} : { reminder_time: habit.reminderTime }),
          is_done: isDoneNow(habit, run, moment),
          streak: streakView(habit, run, moment),
        }
      }),
    )
    return { habits, total, ...(cursor === undefined ? {} : { next_cursor: cursor }) }
  },
})

type Page = {
  readonly rows: readonly Habit[]
  readonly total: number
  readonly cursor: string | undefined
}

async function page(
  read: Reader,
  { tenant, owner }: Person,
  wanted: z.output<typeof input>,
): Promise<Page> {
  const conditions: (readonly [string, ...SqlValue[]])[] = [
    ['tenant = ? and owner = ?', tenant, owner],
    wanted.status === 'all' ? ["state in ('active', 'archived')"] : ['state = ?', wanted.status],
    ...(wanted.category === undefined ? [] : [['category = ?', wanted.category] as const]),
    ...(wanted.frequency === undefined ? [] : [['frequency = ?', wanted.frequency] as const]),
  ]
  const [counted] = await read(
    `select count(*) as n from pm_habits where ${sqlOf(conditions)}`,
    ...valuesOf(conditions),
  )
  if (wanted.cursor !== undefined) {
    const [key, id] = readCursor(wanted.cursor)
    conditions.push(['(name_key > ? or (name_key = ? and id > ?))', key, key, id])
  }
  const rows = await read(
    `select ${HABIT_COLUMNS} from pm_habits where ${sqlOf(conditions)} order by name_key, id limit ?`,
    ...valuesOf(conditions),
    wanted.limit + 1,
  )
  const habits = rows.slice(0, wanted.limit).map(toHabit)
  const last = rows.length > wanted.limit ? habits.at(-1) : undefined
  return {
    rows: habits,
    total: Number(counted?.n ?? 0),
    cursor: last && cursorAfter(nameKey(last.name), last.id),
  }
}

function sqlOf(conditions: readonly (readonly [string, ...SqlValue[]])[]): string {
  return conditions.map(([sql]) => sql).join(' and ')
}

function valuesOf(conditions: readonly (readonly [string, ...SqlValue[]])[]): readonly SqlValue[] {
  return conditions.flatMap(([, ...values]) => values)
}

import { defineTool, ToolError } from '@surehand/core'
import type { SqlValue } from '@surehand/core/internal'
import { PageCursor } from '@surehand/documents'
import { z } from 'zod'
import { nameKey } from '../name-key.ts'
import type { Person } from '../person.ts'
import { personalData, type Reader } from '../personal-data.ts'
import { HABIT_COLUMNS, type Habit, readRun, toHabit } from './habit.ts'
import { openHabits } from './habit-context.ts'
import { habitInfo, isDoneNow, streakView } from './habit-view.ts'
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
    "List the person's habits by name, each with its streak and whether it is done for this day, week or month. Lists active habits by default, in pages.",
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
    const { read, person, localTime } = await openHabits(execution)
    const { rows, total, cursor } = await readHabitPage(read, person, execution.input)
    const habits = await Promise.all(
      rows.map(async (habit) => {
        const run = await readRun(read, person, habit)
        return {
          ...habitInfo(habit),
          status: habit.state === 'active' ? ('active' as const) : ('archived' as const),
          ...(habit.reminderTime === null ? {} : { reminder_time: habit.reminderTime }),
          is_done: isDoneNow(habit, run, localTime),
          streak: streakView(habit, run, localTime),
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

async function readHabitPage(
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
    `select count(*) as n from pm_habits where ${joinConditions(conditions)}`,
    ...conditionValues(conditions),
  )
  if (wanted.cursor !== undefined) {
    const [key, id] = readCursor(wanted.cursor)
    conditions.push(['(name_key > ? or (name_key = ? and id > ?))', key, key, id])
  }
  const rows = await read(
    `select ${HABIT_COLUMNS} from pm_habits where ${joinConditions(conditions)} order by name_key, id limit ?`,
    ...conditionValues(conditions),
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

function joinConditions(conditions: readonly (readonly [string, ...SqlValue[]])[]): string {
  return conditions.map(([sql]) => sql).join(' and ')
}

function conditionValues(
  conditions: readonly (readonly [string, ...SqlValue[]])[],
): readonly SqlValue[] {
  return conditions.flatMap(([, ...values]) => values)
}

const Place = z.tuple([z.string(), z.string()])

/** The position at which a page ended: the sort key and the id of its last row. */
export function cursorAfter(key: string, id: string): string {
  return Buffer.from(JSON.stringify([key, id])).toString('base64url')
}

export function readCursor(cursor: string): readonly [key: string, id: string] {
  const place = Place.safeParse(parseCursor(cursor))
  if (place.success) return place.data
  throw new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    'The cursor is not valid for this list. Send next_cursor as it was returned, or leave it out to start at the first page.',
    {
      details: {
        validation_errors: [
          { field: 'cursor', error: 'is not a cursor of this list', provided_value: cursor },
        ],
      },
    },
  )
}

function parseCursor(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined // The caller reports an invalid cursor.
  }
}

import { defineTool, defineTransaction, ToolError, type Tx, transact } from '@surehand/core'
import type { SqlValue } from '@surehand/core/internal'
import { z } from 'zod'
import { nameKey } from '../name-key.ts'
import type { WriteExecution } from '../person.ts'
import { type Habit, readHabit } from './habit.ts'
import { buildHabitWrite, type HabitWrite } from './habit-context.ts'
import { wholeHabitInfo } from './habit-view.ts'
import { habitPermissions } from './permissions.ts'
import { recountRun } from './record-day.ts'
import {
  HabitCategory,
  HabitDifficulty,
  HabitFrequency,
  HabitName,
  NewHabitName,
  ReminderTime,
  TargetDuration,
  WholeHabitInfo,
} from './shapes.ts'
import { claimName, duplicateNameError, lockHabit } from './write-habit.ts'

/** The fields to change; null clears a field. */
type HabitChanges = {
  readonly new_name?: string | undefined
  readonly category?: string | undefined
  readonly frequency?: string | undefined
  readonly difficulty?: string | undefined
  readonly description?: string | null | undefined
  readonly cue?: string | null | undefined
  readonly routine?: string | null | undefined
  readonly reward?: string | null | undefined
  readonly target_duration?: number | null | undefined
  readonly reminder_time?: string | null | undefined
  readonly status?: 'active' | 'archived' | undefined
}

export const updateHabit = defineTransaction(
  'habit.update',
  async (
    tx: Tx,
    {
      person,
      now,
      query,
      changes,
    }: HabitWrite & { readonly query: string; readonly changes: HabitChanges },
  ) => {
    const columns = changedColumns(changes)
    // Only a change of the status may refer to an archived or deleted habit.
    const habit = await lockHabit(tx, person, {
      query,
      now,
      ...(changes.status === undefined ? {} : { among: 'all' }),
    })
    const changed = columns.filter(([column, value]) => columnValue(habit, column) !== value)
    const after = {
      name: changes.new_name?.trim() ?? habit.name,
      state: changes.status ?? habit.state,
    }
    const isNameNew = nameKey(after.name) !== nameKey(habit.name) || habit.state !== 'active'
    if (
      isNameNew &&
      after.state === 'active' &&
      (await claimName(tx, person, { id: habit.id, name: after.name })) === 'name taken'
    )
      throw await duplicateNameError(tx, person, after.name)
    const set = columns.map(([column]) => `${column} = ?`).join(', ')
    await tx.run(
      `update pm_habits set ${set} where tenant = ? and id = ?`,
      ...columns.map(([, value]) => value),
      person.tenant,
      habit.id,
    )
    const updated = await readHabit(tx.all, person, habit.id)
    if (updated.frequency !== habit.frequency) await recountRun(tx, person.tenant, updated)
    return {
      habit_info: wholeHabitInfo(updated),
      changed: changed.flatMap(([column]) => FIELDS[column] ?? []),
    }
  },
)

/**
 * The columns that a change may set, with the name of the field in the answer. The name key is
 * derived and has none.
 */
const FIELDS = {
  name: 'name',
  name_key: undefined,
  category: 'category',
  frequency: 'frequency',
  difficulty: 'difficulty',
  description: 'description',
  cue: 'cue',
  routine: 'routine',
  reward: 'reward',
  target_duration: 'target_duration',
  reminder_time: 'reminder_time',
  state: 'status',
} as const

type Column = keyof typeof FIELDS

function changedColumns({
  new_name: name,
  status,
  ...fields
}: HabitChanges): readonly (readonly [Column, SqlValue])[] {
  const given: Readonly<Partial<Record<Column, SqlValue | undefined>>> = {
    ...(name === undefined ? {} : { name: name.trim(), name_key: nameKey(name) }),
    ...fields,
    ...(status === undefined ? {} : { state: status }),
  }
  const columns = (Object.keys(FIELDS) as Column[]).flatMap((column) => {
    const value = given[column]
    return value === undefined ? [] : [[column, value] as const]
  })
  if (columns.length > 0) return columns
  throw new ToolError(
    'TOOL_INVALID_INPUT',
    'Nothing to change. Name a field to change, such as difficulty or reminder_time.',
    {
      details: {
        validation_errors: [
          { field: 'habit_name', error: 'is the only field given', provided_value: null },
        ],
      },
    },
  )
}

function columnValue(habit: Habit, column: Column): SqlValue {
  switch (column) {
    case 'name_key':
      return nameKey(habit.name)
    case 'target_duration':
      return habit.targetDuration
    case 'reminder_time':
      return habit.reminderTime
    default:
      return habit[column]
  }
}

const input = z.object({
  habit_name: HabitName,
  new_name: NewHabitName.optional(),
  category: HabitCategory.optional(),
  frequency: HabitFrequency.optional().describe('The streak is counted again in the new unit'),
  difficulty: HabitDifficulty.optional(),
  description: z.string().max(1000).nullable().optional(),
  cue: z.string().max(500).nullable().optional(),
  routine: z.string().max(500).nullable().optional(),
  reward: z.string().max(500).nullable().optional(),
  target_duration: TargetDuration.nullable().optional().describe('Minutes it takes'),
  reminder_time: ReminderTime.nullable().optional().describe("HH:MM on the person's own clock"),
  status: z
    .enum(['active', 'archived'])
    .optional()
    .describe('archived hides the habit; active restores an archived or deleted one'),
})

export const habitUpdate = defineTool({
  id: 'habit.update',
  title: 'Update Habit',
  category: 'habit_management',
  version: '2.0.0',
  author: 'PersonalManager Core Team',
  aliases: ['tools.habit.update'],
  description:
    'Change a habit: its name, category, frequency, difficulty, cue, routine, reward, duration or reminder. Also archives a habit and restores an archived or deleted one. Only the given fields change; null clears a text, duration or reminder. Its records stay.',
  input,
  output: z.object({
    habit_info: WholeHabitInfo,
    changed: z.array(z.string()).describe('The fields whose value has changed'),
  }),
  contract: {
    effect: 'writes.habit',
    reversible: true,
    idempotency: 'caller',
    permissions: habitPermissions('update'),
    securityLevel: 'internal',
    limits: [
      { calls: 30, per: '1m' },
      { calls: 300, per: '1h' },
    ],
  },
  examples: [
    {
      name: 'make_it_smaller',
      description: 'Make a habit easier to keep',
      input: { habit_name: 'Evening workout', difficulty: 'tiny', target_duration: 10 },
    },
    {
      name: 'rename',
      description: 'Give a habit another name and no reminder',
      input: { habit_name: 'meditation', new_name: 'Meditation', reminder_time: null },
    },
  ],
  transaction: transact(updateHabit, (execution: WriteExecution<z.output<typeof input>>) => {
    const { habit_name: query, ...changes } = execution.input
    return { ...buildHabitWrite(execution, 'habit.write'), query, changes }
  }),
})

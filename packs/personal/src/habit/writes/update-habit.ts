import { defineTransaction, ToolError, type Tx } from '@surehand/core'
import type { SqlValue } from '@surehand/core/internal'
import { nameKey } from '../../name-key.ts'
import { type Habit, habitOf } from '../habit.ts'
import { wholeHabitInfo } from '../habit-view.ts'
import type { WriteCall } from '../moment.ts'
import { recount } from '../record-day.ts'
import { alreadyThere } from './already-there.ts'
import { lockHabit } from './lock-habit.ts'
import { takeName } from './take-name.ts'

/** What is to be changed; null takes away what was said. */
export type HabitChanges = {
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
      said,
      changes,
    }: WriteCall & { readonly said: string; readonly changes: HabitChanges },
  ) => {
    const columns = columnsOf(changes)
    // only whoever brings a habit back means one that is put away
    const habit = await lockHabit(tx, person, {
      said,
      now,
      ...(changes.status === undefined ? {} : { among: 'all' }),
    })
    const changed = columns.filter(([column, value]) => valueIn(habit, column) !== value)
    const after = {
      name: changes.new_name?.trim() ?? habit.name,
      state: changes.status ?? habit.state,
    }
    const isNameNew = nameKey(after.name) !== nameKey(habit.name) || habit.state !== 'active'
    if (
      isNameNew &&
      after.state === 'active' &&
      (await takeName(tx, person, { id: habit.id, name: after.name })) === 'name taken'
    )
      throw await alreadyThere(tx, person, after.name)
    const set = columns.map(([column]) => `${column} = ?`).join(', ')
    await tx.run(
      `update pm_habits set ${set} where tenant = ? and id = ?`,
      ...columns.map(([, value]) => value),
      person.tenant,
      habit.id,
    )
    const updated = await habitOf(tx.all, person, habit.id)
    if (updated.frequency !== habit.frequency) await recount(tx, person.tenant, updated)
    return {
      habit_info: wholeHabitInfo(updated),
      changed: changed.flatMap(([column]) => FIELDS[column] ?? []),
    }
  },
)

/** The columns that a change may name, and the field each is known by; the name's key is nobody's field. */
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

function columnsOf({
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
    'Nothing is to be changed: name a field to change, such as difficulty or reminder_time.',
    {
      details: {
        validation_errors: [
          { field: 'habit_name', error: 'is all that was given', provided_value: null },
        ],
      },
    },
  )
}

function valueIn(habit: Habit, column: Column): SqlValue {
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

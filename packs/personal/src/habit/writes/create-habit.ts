import { defineTransaction, type Tx } from '@surehand/core'
import { nameKey } from '../../name-key.ts'
import { habitOf } from '../habit.ts'
import { habitInfo } from '../habit-view.ts'
import { momentOf, type WriteCall } from '../moment.ts'
import { alreadyThere } from './already-there.ts'

export type NewHabit = {
  readonly name: string
  readonly category: string
  readonly frequency: string
  readonly difficulty: string
  readonly description?: string | undefined
  readonly cue?: string | undefined
  readonly routine?: string | undefined
  readonly reward?: string | undefined
  readonly target_duration?: number | undefined
  readonly reminder_time?: string | undefined
}

// of two that are made at once with one name, the second finds the index in its way and changes nothing
const INSERT = `insert into pm_habits (tenant, id, owner, name, name_key, category, frequency, difficulty, description, cue, routine, reward,
  target_duration, reminder_time, state, created_at, updated_at, started_on)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'active', ?, ?, ?) on conflict do nothing`

export const createHabit = defineTransaction(
  'habit.create',
  async (
    tx: Tx,
    {
      person,
      caller,
      now,
      id,
      habit,
    }: WriteCall & { readonly id: string; readonly habit: NewHabit },
  ) => {
    const { today } = await momentOf(caller, now, tx.all)
    const name = habit.name.trim()
    const { changes } = await tx.run(
      INSERT,
      ...[
        person.tenant,
        id,
        person.owner,
        name,
        nameKey(name),
        habit.category,
        habit.frequency,
        habit.difficulty,
      ],
      ...[
        habit.description ?? null,
        habit.cue ?? null,
        habit.routine ?? null,
        habit.reward ?? null,
      ],
      ...[habit.target_duration ?? null, habit.reminder_time ?? null, now, now, today],
    )
    if (changes === 0) throw await alreadyThere(tx, person, name)
    return { habit_info: habitInfo(await habitOf(tx.all, person, id)) }
  },
)

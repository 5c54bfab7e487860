import { defineTransaction, type Tx } from '@surehand/core'
import type { WriteCall } from '../moment.ts'
import { lockHabit } from './lock-habit.ts'

const DELETE = "update pm_habits set state = 'deleted' where tenant = ? and id = ?"
const COUNT = 'select count(*) as n from pm_habit_records where tenant = ? and habit_id = ?'

/** Puts a habit out of sight; its records stay, so that it can be brought back whole. */
export const deleteHabit = defineTransaction(
  'habit.delete',
  async (tx: Tx, { person, now, said }: WriteCall & { readonly said: string }) => {
    const { id, name } = await lockHabit(tx, person, { said, now })
    await tx.run(DELETE, person.tenant, id)
    const row = await tx.get(COUNT, person.tenant, id)
    return {
      habit_info: { id, name },
      records_kept: Number(row?.n ?? 0),
      message: `"${name}" is deleted. habit.update { "habit_name": "${id}", "status": "active" } brings it back with its records.`,
    }
  },
)

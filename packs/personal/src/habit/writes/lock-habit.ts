import type { Tx } from '@surehand/core'
import type { Person } from '../../person.ts'
import { findHabit, type Habit, habitOf } from '../habit.ts'

const TOUCH = 'update pm_habits set updated_at = ? where tenant = ? and id = ?'

type Wanted = { readonly said: string; readonly among?: 'all'; readonly now: number }

/** The habit that is meant, held until the transaction ends and read after that: two writes of one habit come one after the other. */
export async function lockHabit(tx: Tx, person: Person, wanted: Wanted): Promise<Habit> {
  const { id } = await findHabit(tx.all, person, wanted)
  await tx.run(TOUCH, wanted.now, person.tenant, id)
  return habitOf(tx.all, person, id)
}

import { ToolError, type Tx } from '@surehand/core'
import { nameKey } from '../name-key.ts'
import type { Person } from '../person.ts'
import { findHabit, type Habit, readHabit } from './habit.ts'

const TOUCH = 'update pm_habits set updated_at = ? where tenant = ? and id = ?'

type Wanted = { readonly query: string; readonly among?: 'all'; readonly now: number }

/**
 * Finds a habit, locks its row until the transaction ends and reads it after that, so that two
 * writes of one habit run one after the other.
 */
export async function lockHabit(tx: Tx, person: Person, wanted: Wanted): Promise<Habit> {
  const { id } = await findHabit(tx.all, person, wanted)
  await tx.run(TOUCH, wanted.now, person.tenant, id)
  return readHabit(tx.all, person, id)
}

const SELECT_ACTIVE =
  "select id, name from pm_habits where tenant = ? and owner = ? and name_key = ? and state = 'active'"

export async function duplicateNameError(tx: Tx, person: Person, name: string): Promise<ToolError> {
  const row = await tx.get(SELECT_ACTIVE, person.tenant, person.owner, nameKey(name))
  const known = String(row?.name ?? name)
  return new ToolError(
    'TOOL_RESOURCE_ALREADY_EXISTS',
    `The habit "${known}" already exists. Use it, or choose another name.`,
    {
      details: { name, existing_habit: { id: row?.id ?? null, name: known } },
      suggestions: [
        `Record it with habit.record_completion { "habit_name": "${known}" }.`,
        'Or give the new habit another name.',
      ],
    },
  )
}

const TAKE = `insert into pm_habits (tenant, id, owner, name, name_key, category, frequency, difficulty, state, created_at, updated_at, started_on)
  values (?, ?, ?, ?, ?, '', '', '', 'active', 0, 0, '') on conflict do nothing`

const FREE = 'delete from pm_habits where tenant = ? and owner = ? and id = ?'

/**
 * Reserves the new name of an existing habit until the transaction ends. An update that violates
 * the unique index aborts the whole transaction on PostgreSQL; an insert with `on conflict do
 * nothing` waits for a concurrent transaction and reports the conflict.
 */
export async function claimName(
  tx: Tx,
  { tenant, owner }: Person,
  habit: { readonly id: string; readonly name: string },
): Promise<'taken for it' | 'name taken'> {
  // Longer than any id that an import accepts, so that no stored habit can have it.
  const id = habit.id.padEnd(1_100, '.')
  const { changes } = await tx.run(TAKE, tenant, id, owner, habit.name, nameKey(habit.name))
  if (changes === 0) return 'name taken'
  await tx.run(FREE, tenant, owner, id)
  return 'taken for it'
}

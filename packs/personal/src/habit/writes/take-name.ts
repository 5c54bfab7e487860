import type { Tx } from '@surehand/core'
import { nameKey } from '../../name-key.ts'
import type { Person } from '../../person.ts'

const TAKE = `insert into pm_habits (tenant, id, owner, name, name_key, category, frequency, difficulty, state, created_at, updated_at, started_on)
  values (?, ?, ?, ?, ?, '', '', '', 'active', 0, 0, '') on conflict do nothing`
const FREE = 'delete from pm_habits where tenant = ? and owner = ? and id = ?'

/**
 * Takes the name for a habit that is there already, until the transaction ends. An update that meets the unique index breaks the
 * whole transaction on PostgreSQL; an insert that gives way waits for whoever is at the name, and tells.
 */
export async function takeName(
  tx: Tx,
  { tenant, owner }: Person,
  habit: { readonly id: string; readonly name: string },
): Promise<'taken for it' | 'name taken'> {
  // longer than an id that somebody can bring along, so that nobody can have it
  const id = habit.id.padEnd(1_100, '.')
  const { changes } = await tx.run(TAKE, tenant, id, owner, habit.name, nameKey(habit.name))
  if (changes === 0) return 'name taken'
  await tx.run(FREE, tenant, owner, id)
  return 'taken for it'
}

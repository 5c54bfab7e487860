import type { Tx } from '@surehand/core'
import type { Person } from '../person.ts'
import { findTask } from './find-task.ts'
import type { Task } from './task.ts'

const TOUCH = 'update pm_tasks set updated_at = ? where tenant = ? and owner = ? and id = ?'

/**
 * Finds a task, locks its row until the transaction ends and reads it after that: when it is
 * completed twice at once, the second call is refused.
 */
export async function lockTask(
  tx: Tx,
  person: Person,
  wanted: { readonly query: string; readonly now: number },
): Promise<Task> {
  const { id } = await findTask(tx.all, person, wanted.query)
  await tx.run(TOUCH, wanted.now, person.tenant, person.owner, id)
  return findTask(tx.all, person, id)
}

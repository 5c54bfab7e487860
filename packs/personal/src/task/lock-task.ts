import type { Tx } from '@surehand/core'
import type { Person } from '../person.ts'
import { findTask } from './find-task.ts'
import type { Task } from './task.ts'

const TOUCH = 'update pm_tasks set updated_at = ? where tenant = ? and owner = ? and id = ?'

/** The task that is meant, held until the transaction ends and read after that: of two who complete it at once, one is told that it is done. */
export async function lockTask(
  tx: Tx,
  person: Person,
  wanted: { readonly query: string; readonly now: number },
): Promise<Task> {
  const { id } = await findTask(tx.all, person, wanted.query)
  await tx.run(TOUCH, wanted.now, person.tenant, person.owner, id)
  return findTask(tx.all, person, id)
}

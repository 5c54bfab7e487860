import type { Tx } from '@surehand/core'
import type { Row } from '@surehand/core/internal'
import { theOneNamed } from '../match-name.ts'
import { nameKey } from '../name-key.ts'
import type { Person } from '../person.ts'

const THEIRS = 'tenant = ? and owner = ? and deleted_at is null'
const BY_NAME = `select * from pm_notes where ${THEIRS} and (title_key = ? or file_key = ?) limit 2`
const BY_ID = `select * from pm_notes where ${THEIRS} and id = ?`
const NAMES = `select id, title as name from pm_notes where ${THEIRS} order by title_key`

/** The note that is meant. The very name is looked up; all names are read only for what is misspelt or cut short. */
export async function findNote(
  tx: Pick<Tx, 'get' | 'all'>,
  { tenant, owner }: Person,
  said: string,
): Promise<Row> {
  const key = nameKey(said)
  const [exact, second] = await tx.all(BY_NAME, tenant, owner, key, key)
  if (exact !== undefined && second === undefined) return exact
  const byId = await tx.get(BY_ID, tenant, owner, said)
  if (byId !== undefined) return byId
  const names = (await tx.all(NAMES, tenant, owner)).map(({ id, name }) => ({
    id: String(id),
    name: String(name),
  }))
  const found = await tx.get(BY_ID, tenant, owner, theOneNamed(said, names, 'note').id)
  // erased: the name was read in this very transaction
  return found as Row
}

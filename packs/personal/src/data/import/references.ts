import type { Tx } from '@surehand/core'
import { type SqlValue, sha256 } from '@surehand/core/internal'
import type { Person } from '../../person.ts'
import { type Family, tableOf } from '../families.ts'
import type { ImportItem } from './import-item.ts'

type ImportRow = Readonly<Record<string, SqlValue>>
type Twin = { readonly id?: string; readonly name?: string }
type Place = { readonly kind: 'free' | 'theirs'; readonly row: ImportRow }

/** The references between the rows of an import, and the rows that exist already. */
export type References = {
  /**
   * The row with its references replaced by the ids in this database, or the reason why that is not
   * possible.
   */
  readonly resolve: (
    item: ImportItem,
  ) => Promise<{ readonly row: ImportRow } | { readonly problem: string }>
  /** A row of the same person that has the same name. */
  readonly findTwin: (item: ImportItem, row: ImportRow) => Promise<Twin | undefined>
  /**
   * The id under which the row can be stored: its own, unless that belongs to another person or
   * does not have our form.
   */
  readonly findPlace: (family: Family, row: ImportRow) => Promise<Place>
  /** Remembers the id under which an item was stored. */
  readonly learn: (item: ImportItem, id: string) => void
}

type Reference = { readonly column: string; readonly to: Family; readonly isNeeded: boolean }
const REFERENCES: Readonly<Partial<Record<Family, readonly Reference[]>>> = {
  project_members: [{ column: 'project_id', to: 'projects', isNeeded: true }],
  project_log: [{ column: 'project_id', to: 'projects', isNeeded: true }],
  habit_records: [{ column: 'habit_id', to: 'habits', isNeeded: true }],
  tasks: [{ column: 'project_id', to: 'projects', isNeeded: false }],
  deep_work: [
    { column: 'task_id', to: 'tasks', isNeeded: false },
    { column: 'project_id', to: 'projects', isNeeded: false },
  ],
}

// Records are found by id before they are found by name: an id that reads like a name would hide
// the record of that name.
const ID = /^([a-z]+)_[0-9a-z]+$/

const SAME_HABIT =
  "select id, name from pm_habits where tenant = ? and owner = ? and name_key = ? and state = 'active'"
const SAME_PROJECT =
  "select id, name from pm_projects where tenant = ? and owner = ? and name_key = ? and state <> 'deleted'"
const SAME_TASK = `select id, title as name from pm_tasks where tenant = ? and owner = ? and title_key = ? and due_key = ? and state <> 'deleted'
  and id <> ? limit 1`
const RUNNING =
  'select id, subject as name from pm_deep_work where tenant = ? and owner = ? and stopped_at is null'
const MEMBER =
  'select 1 as found from pm_project_members where tenant = ? and project_id = ? and principal = ?'

export function createReferences(tx: Tx, { tenant, owner }: Person): References {
  const importedIds = new Map<string, string>()

  async function ownerOf(family: Family, id: string): Promise<string | undefined> {
    const row = await tx.get(
      `select owner from ${tableOf(family).name} where tenant = ? and id = ?`,
      tenant,
      id,
    )
    return row === undefined ? undefined : String(row.owner)
  }

  // The same for every page of an export, so that a reference finds a row of an earlier page.
  const derivedId = (family: Family, id: string) =>
    `${ID.exec(id)?.[1] ?? 'own'}_${sha256(JSON.stringify([family, owner, id])).slice(0, 26)}`

  async function find(family: Family, id: string): Promise<string | undefined> {
    const known = importedIds.get(`${family}/${id}`)
    if (known !== undefined) return known
    const whose = await ownerOf(family, id)
    if (whose === owner) return id
    const other = derivedId(family, id)
    if ((await ownerOf(family, other)) === owner) return other
    return whose !== undefined && family === 'projects' && (await isMember(id)) ? id : undefined
  }

  async function isMember(projectId: string): Promise<boolean> {
    return (await tx.get(MEMBER, tenant, projectId, owner)) !== undefined
  }

  // Only the owner of a project writes its log and its members.
  async function mayPoint(family: Family, id: string): Promise<boolean> {
    if (family !== 'project_members' && family !== 'project_log') return true
    const whose = await ownerOf('projects', id)
    return whose === undefined || whose === owner
  }

  return {
    async resolve({ family, row }) {
      const changed: Record<string, SqlValue> = { ...row }
      for (const { column, to, isNeeded } of REFERENCES[family] ?? []) {
        const id = row[column]
        if (typeof id !== 'string') continue
        const found = await find(to, id)
        if (found !== undefined && (await mayPoint(family, found))) changed[column] = found
        else if (isNeeded)
          return {
            problem: `refers to one of the ${to} that does not exist or belongs to another person`,
          }
        else delete changed[column]
      }
      return { row: changed }
    },
    async findTwin({ family, knownBy }, row) {
      const same = await findTwin(tx, { tenant, owner }, { family, knownBy, row })
      return same === undefined ? undefined : { id: String(same.id), name: String(same.name) }
    },
    async findPlace(family, row) {
      const { key, name } = tableOf(family)
      if (typeof row.id === 'string') {
        const whose = await ownerOf(family, row.id)
        if (whose === owner) return { kind: 'theirs', row }
        if (whose === undefined && ID.test(row.id)) return { kind: 'free', row }
        const id = derivedId(family, row.id)
        return {
          kind: (await ownerOf(family, id)) === undefined ? 'free' : 'theirs',
          row: { ...row, id },
        }
      }
      const whole: ImportRow = { ...row, owner }
      const where = key.map((column) => `${column} = ?`).join(' and ')
      const found = await tx.get(
        `select 1 as found from ${name} where tenant = ? and ${where}`,
        tenant,
        ...key.map((column) => whole[column] ?? null),
      )
      return { kind: found === undefined ? 'free' : 'theirs', row }
    },
    learn({ family, row }, id) {
      if (typeof row.id === 'string') importedIds.set(`${family}/${row.id}`, id)
    },
  }
}

async function findTwin(
  tx: Tx,
  { tenant, owner }: Person,
  { family, knownBy, row }: Omit<ImportItem, 'place'>,
) {
  switch (family) {
    case 'habits':
      return row.state === 'active'
        ? tx.get(SAME_HABIT, tenant, owner, row.name_key ?? '')
        : undefined
    case 'projects':
      return row.state === 'deleted'
        ? undefined
        : tx.get(SAME_PROJECT, tenant, owner, row.name_key ?? '')
    case 'tasks':
      return knownBy === 'id'
        ? undefined
        : tx.get(SAME_TASK, tenant, owner, row.title_key ?? '', row.due_key ?? '', row.id ?? '')
    case 'deep_work':
      return row.stopped_at == null ? tx.get(RUNNING, tenant, owner) : undefined
    default:
      return undefined
  }
}

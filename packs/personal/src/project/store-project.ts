import { ToolError, type Tx } from '@surehand/core'
import type { SqlValue } from '@surehand/core/internal'
import { nameKey } from '../name-key.ts'
import type { Person } from '../person.ts'
import { findProjectByName, projectNotFoundError, readProjectNames } from './find-project.ts'
import { PROJECT_COLUMNS, type Project, toProject } from './project.ts'
import { reachOf } from './reach.ts'

const COLUMNS = [
  'name',
  'name_key',
  'search_key',
  'description',
  'path',
  'phase',
  'priority',
  'state',
  'progress',
  'target_day',
  'created_at',
  'updated_at',
  'completed_at',
] as const

// When two projects with the same name are created at once, the unique index stops the second
// insert, which then changes no row.
const INSERT = `insert into pm_projects (${COLUMNS.join(', ')}, tenant, owner, id)
  values (${[...COLUMNS, 'tenant', 'owner', 'id'].map(() => '?').join(', ')}) on conflict do nothing`
const UPDATE = `update pm_projects set ${COLUMNS.map((column) => `${column} = ?`).join(', ')} where tenant = ? and owner = ? and id = ?`

/** Inserts a project, unless its owner has one of that name. */
export async function insertProject(
  tx: Tx,
  { tenant, owner }: Person,
  project: Project,
): Promise<'added' | 'name taken'> {
  const { changes } = await tx.run(INSERT, ...columnValues(project), tenant, owner, project.id)
  return changes === 0 ? 'name taken' : 'added'
}

const FREE = 'delete from pm_projects where tenant = ? and owner = ? and id = ?'

/**
 * Reserves the new name of an existing project until the transaction ends. An update that violates
 * the unique index aborts the whole transaction on PostgreSQL; an insert with `on conflict do
 * nothing` waits for a concurrent transaction and reports the conflict.
 */
export async function claimName(
  tx: Tx,
  person: Person,
  project: Project,
): Promise<'taken for it' | 'name taken'> {
  // Longer than any id that an import accepts, so that no stored project can have it.
  const id = project.id.padEnd(1_100, '.')
  if ((await insertProject(tx, person, { ...project, id })) === 'name taken') return 'name taken'
  await tx.run(FREE, person.tenant, person.owner, id)
  return 'taken for it'
}

export async function updateProject(
  tx: Tx,
  { tenant, owner }: Person,
  project: Project,
): Promise<void> {
  await tx.run(UPDATE, ...columnValues(project), tenant, owner, project.id)
}

function columnValues(project: Project): readonly SqlValue[] {
  const row: Readonly<Record<(typeof COLUMNS)[number], SqlValue>> = {
    name: project.name,
    name_key: nameKey(project.name),
    search_key: nameKey(
      [project.name, project.phase, project.description, project.path].filter(Boolean).join(' '),
    ),
    description: project.description ?? null,
    path: project.path ?? null,
    phase: project.phase ?? null,
    priority: project.priority,
    state: project.state,
    progress: project.givenProgress ?? null,
    target_day: project.targetDay ?? null,
    created_at: project.createdAt,
    updated_at: project.updatedAt,
    completed_at: project.completedAt ?? null,
  }
  return COLUMNS.map((column) => row[column])
}

const ADD_MEMBER =
  'insert into pm_project_members (tenant, project_id, principal, added_at) values (?, ?, ?, ?) on conflict do nothing'
const REMOVE_MEMBER =
  'delete from pm_project_members where tenant = ? and project_id = ? and principal = ?'

export async function addMembers(
  tx: Tx,
  place: { readonly tenant: string; readonly projectId: string; readonly now: number },
  members: readonly string[],
): Promise<void> {
  for (const member of new Set(members))
    await tx.run(ADD_MEMBER, place.tenant, place.projectId, member, place.now)
}

export async function removeMember(
  tx: Tx,
  { tenant, projectId }: { readonly tenant: string; readonly projectId: string },
  member: string,
): Promise<boolean> {
  return (await tx.run(REMOVE_MEMBER, tenant, projectId, member)).changes > 0
}

const SELECT_MEMBERS =
  'select principal from pm_project_members where tenant = ? and project_id = ? order by principal'

/** Reads the members, in a transaction or in a read tool. */
export async function readMembers(
  read: Tx['all'],
  tenant: string,
  projectId: string,
): Promise<readonly string[]> {
  return (await read(SELECT_MEMBERS, tenant, projectId)).map(({ principal }) => String(principal))
}

export function nameTakenError(name: string): ToolError {
  return new ToolError(
    'TOOL_RESOURCE_ALREADY_EXISTS',
    `You already have a project called "${name}". Change it with project.update, or choose another name.`,
    {
      details: { name },
    },
  )
}

const SELECTED_COLUMNS = PROJECT_COLUMNS.map((column) => `p.${column}`).join(', ')

const SELECT_BY_ID = `select ${SELECTED_COLUMNS} from pm_projects p where p.tenant = ? and p.owner = ? and p.id = ?`

const SELECT_NAMED =
  "select id from pm_projects where tenant = ? and owner = ? and name_key = ? and state <> 'deleted'"

const TOUCH = 'update pm_projects set updated_at = ? where tenant = ? and owner = ? and id = ?'

type Wanted = { readonly query: string; readonly now: number }

/**
 * Finds a project, locks its row until the transaction ends and reads it after that, so that two
 * concurrent changes do not undo each other.
 */
export async function lockProject(
  tx: Tx,
  person: Person,
  { query, now }: Wanted,
): Promise<Project> {
  const id = await findOwnProjectId(tx, person, query)
  await tx.run(TOUCH, now, person.tenant, person.owner, id)
  const row = await tx.get(SELECT_BY_ID, person.tenant, person.owner, id)
  if (row === undefined) throw projectNotFoundError(query, [])
  return toProject(row)
}

/**
 * Finds one of the person's own projects by name, or by id even when it is deleted. A project of
 * which the person is only a member is refused with its own error.
 */
async function findOwnProjectId(tx: Tx, person: Person, query: string): Promise<string> {
  const own =
    (await tx.get(SELECT_NAMED, person.tenant, person.owner, nameKey(query))) ??
    (await tx.get(SELECT_BY_ID, person.tenant, person.owner, query))
  if (own !== undefined) return String(own.id)
  const accessible = await readProjectNames(tx.all, reachOf(person, 'accessible'))
  const match = findProjectByName(query, accessible, person)
  if (match.owner !== person.owner)
    throw new ToolError(
      'TOOL_RESOURCE_ACCESS_DENIED',
      `"${match.name}" belongs to ${match.owner}: only its owner can change it.`,
      {
        details: { project: match.name, owner: match.owner },
      },
    )
  return match.id
}

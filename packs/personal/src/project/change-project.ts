import { type Caller, defineTransaction, ToolError, type Tx } from '@surehand/core'
import { nameKey } from '../name-key.ts'
import { type Person, personOf } from '../person.ts'
import { hereOf } from '../task/here.ts'
import { nameTaken } from './create-project.ts'
import { namedProjects, noProject, theProjectMeant } from './find-project.ts'
import { addMembers, membersOf, removeMember, takeName, updateProject } from './keep-project.ts'
import { PROJECT_COLUMNS, type Project, projectOf } from './project.ts'
import { projectInfo } from './project-info.ts'
import { addEntry, closeEntry } from './project-log.ts'
import { reachOf } from './reach.ts'
import { readTarget } from './read-target.ts'
import type { Priority, ProjectState, Severity } from './shapes.ts'
import { refuseTransition } from './states.ts'

/** What is to be another way; null takes something away. */
export type ProjectChange = {
  readonly project_name: string
  readonly new_name?: string | undefined
  readonly description?: string | null | undefined
  readonly path?: string | null | undefined
  readonly phase?: string | null | undefined
  readonly priority?: Priority | undefined
  readonly progress?: number | null | undefined
  readonly target_completion?: string | null | undefined
  readonly state?: ProjectState | undefined
  readonly add_members?: readonly string[] | undefined
  readonly remove_members?: readonly string[] | undefined
  readonly completed_work?: readonly string[] | undefined
  readonly add_risks?: readonly { readonly text: string; readonly severity: Severity }[] | undefined
  readonly resolve_risks?: readonly string[] | undefined
  readonly add_blocks?: readonly string[] | undefined
  readonly resolve_blocks?: readonly string[] | undefined
}

export type ChangeArgs = {
  readonly caller: Caller
  readonly now: number
  readonly change: ProjectChange
  /** As many as entries are to be written. */
  readonly entryIds: readonly string[]
}

/** How many entries a change writes into the log. */
export function entriesIn({
  completed_work = [],
  add_risks = [],
  add_blocks = [],
}: ProjectChange): number {
  return completed_work.length + add_risks.length + add_blocks.length
}

export const changeProject = defineTransaction(
  'project.update',
  async (tx, { caller, now, change, entryIds }: ChangeArgs) => {
    const person = personOf(caller)
    const before = await lockProject(tx, person, { said: change.project_name, now })
    const after = await changed(tx, before, { caller, now, change })
    const isNameNew = after.nameKey !== before.nameKey || before.state === 'deleted'
    if (
      isNameNew &&
      after.state !== 'deleted' &&
      (await takeName(tx, person, after)) === 'name taken'
    )
      throw nameTaken(after.name)
    await updateProject(tx, person, after)
    const place = { tenant: person.tenant, projectId: before.id, now }
    await addMembers(
      tx,
      place,
      (change.add_members ?? []).filter((member) => member !== person.owner),
    )
    for (const member of change.remove_members ?? [])
      if (!(await removeMember(tx, place, member)))
        throw notAMember(member, before.name, await membersOf(tx.all, person.tenant, before.id))
    await keepLog(tx, place, { by: person.owner, change, entryIds })
    return { project_info: projectInfo(after, await membersOf(tx.all, person.tenant, before.id)) }
  },
)

const COLUMNS = PROJECT_COLUMNS.map((column) => `p.${column}`).join(', ')
const SELECT_BY_ID = `select ${COLUMNS} from pm_projects p where p.tenant = ? and p.owner = ? and p.id = ?`

const SELECT_NAMED =
  "select id from pm_projects where tenant = ? and owner = ? and name_key = ? and state <> 'deleted'"
const TOUCH = 'update pm_projects set updated_at = ? where tenant = ? and owner = ? and id = ?'

type Wanted = { readonly said: string; readonly now: number }

/** The project that is meant, held until the transaction ends and read after that: of two changes at once neither undoes the other. */
async function lockProject(tx: Tx, person: Person, { said, now }: Wanted): Promise<Project> {
  const id = await ownProjectId(tx, person, said)
  await tx.run(TOUCH, now, person.tenant, person.owner, id)
  const row = await tx.get(SELECT_BY_ID, person.tenant, person.owner, id)
  if (row === undefined) throw noProject(said, [])
  return projectOf(row)
}

/** One's own, by its name, or by its id though it is deleted. What one is only a member of is told apart from what is not there. */
async function ownProjectId(tx: Tx, person: Person, said: string): Promise<string> {
  const own =
    (await tx.get(SELECT_NAMED, person.tenant, person.owner, nameKey(said))) ??
    (await tx.get(SELECT_BY_ID, person.tenant, person.owner, said))
  if (own !== undefined) return String(own.id)
  const accessible = await namedProjects(tx.all, reachOf(person, 'accessible'))
  const meant = theProjectMeant(said, accessible, person)
  if (meant.owner !== person.owner)
    throw new ToolError(
      'TOOL_RESOURCE_ACCESS_DENIED',
      `"${meant.name}" is a project of ${meant.owner}: only its owner can change it.`,
      {
        details: { project: meant.name, owner: meant.owner },
      },
    )
  return meant.id
}

type Asked = { readonly caller: Caller; readonly now: number; readonly change: ProjectChange }

async function changed(tx: Tx, before: Project, { caller, now, change }: Asked): Promise<Project> {
  const state = change.state ?? before.state
  refuseTransition(before.name, before.state, state)
  const name = change.new_name ?? before.name
  const target =
    typeof change.target_completion === 'string'
      ? readTarget(change.target_completion, await hereOf(caller, now, tx.all))
      : replaced(before.targetDay, change.target_completion)
  return {
    ...before,
    name,
    nameKey: nameKey(name),
    description: replaced(before.description, change.description),
    path: replaced(before.path, change.path),
    phase: replaced(before.phase, change.phase),
    priority: change.priority ?? before.priority,
    givenProgress: replaced(before.givenProgress, change.progress),
    targetDay: target,
    state,
    completedAt:
      state === 'completed'
        ? (before.completedAt ?? now)
        : state === 'active'
          ? undefined
          : before.completedAt,
    updatedAt: now,
  }
}

function replaced<T>(before: T | undefined, change: T | null | undefined): T | undefined {
  return change === undefined ? before : (change ?? undefined)
}

type Place = { readonly tenant: string; readonly projectId: string; readonly now: number }
type Logging = {
  readonly by: string
  readonly change: ProjectChange
  readonly entryIds: readonly string[]
}

async function keepLog(tx: Tx, place: Place, { by, change, entryIds }: Logging): Promise<void> {
  for (const said of change.resolve_risks ?? [])
    await closeEntry(tx, place, { kind: 'risk', said, now: place.now })
  for (const said of change.resolve_blocks ?? [])
    await closeEntry(tx, place, { kind: 'blocked', said, now: place.now })
  const entries = [
    ...(change.completed_work ?? []).map((text) => ({
      kind: 'completed_work' as const,
      text,
      severity: undefined,
    })),
    ...(change.add_risks ?? []).map(({ text, severity }) => ({
      kind: 'risk' as const,
      text,
      severity,
    })),
    ...(change.add_blocks ?? []).map((text) => ({
      kind: 'blocked' as const,
      text,
      severity: undefined,
    })),
  ]
  for (const [index, entry] of entries.entries())
    await addEntry(tx, place, { ...entry, id: entryIds[index] ?? '', by, at: place.now })
}

function notAMember(member: string, project: string, members: readonly string[]): ToolError {
  return new ToolError('TOOL_RESOURCE_NOT_FOUND', `${member} is no member of "${project}".`, {
    details: { searched_name: member, available: members },
  })
}

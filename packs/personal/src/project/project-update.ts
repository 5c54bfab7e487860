import {
  type Caller,
  defineTool,
  defineTransaction,
  type Execution,
  ToolError,
  type Tx,
  transact,
} from '@surehand/core'
import { z } from 'zod'
import { readLocalTime } from '../local-time.ts'
import { nameKey } from '../name-key.ts'
import { personOf } from '../person.ts'
import { type Project, requireTransition } from './project.ts'
import { ProjectInfo, projectInfo } from './project-info.ts'
import { addEntry, closeEntry } from './project-log.ts'
import { requireOwnedScope } from './reach.ts'
import { parseTarget } from './read-target.ts'
import {
  Description,
  LogText,
  Member,
  Path,
  Phase,
  Priority,
  Progress,
  ProjectNamed,
  ProjectState,
  ProjectTitle,
  Severity,
  TargetText,
} from './shapes.ts'
import {
  addMembers,
  claimName,
  lockProject,
  nameTakenError,
  readMembers,
  removeMember,
  updateProject,
} from './store-project.ts'

/** The changes to a project; null clears a field. */
type ProjectChange = {
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

type ChangeArgs = {
  readonly caller: Caller
  readonly now: number
  readonly change: ProjectChange
  /** One id for each log entry that the change writes. */
  readonly entryIds: readonly string[]
}

/** The number of log entries that a change writes. */
function countEntries({
  completed_work = [],
  add_risks = [],
  add_blocks = [],
}: ProjectChange): number {
  return completed_work.length + add_risks.length + add_blocks.length
}

const changeProject = defineTransaction(
  'project.update',
  async (tx, { caller, now, change, entryIds }: ChangeArgs) => {
    const person = personOf(caller)
    const before = await lockProject(tx, person, { query: change.project_name, now })
    const after = await applyChange(tx, before, { caller, now, change })
    const isNameNew = after.nameKey !== before.nameKey || before.state === 'deleted'
    if (
      isNameNew &&
      after.state !== 'deleted' &&
      (await claimName(tx, person, after)) === 'name taken'
    )
      throw nameTakenError(after.name)
    await updateProject(tx, person, after)
    const place = { tenant: person.tenant, projectId: before.id, now }
    await addMembers(
      tx,
      place,
      (change.add_members ?? []).filter((member) => member !== person.owner),
    )
    for (const member of change.remove_members ?? [])
      if (!(await removeMember(tx, place, member)))
        throw notAMemberError(
          member,
          before.name,
          await readMembers(tx.all, person.tenant, before.id),
        )
    await updateLog(tx, place, { by: person.owner, change, entryIds })
    return { project_info: projectInfo(after, await readMembers(tx.all, person.tenant, before.id)) }
  },
)

type ChangeRequest = {
  readonly caller: Caller
  readonly now: number
  readonly change: ProjectChange
}

async function applyChange(
  tx: Tx,
  before: Project,
  { caller, now, change }: ChangeRequest,
): Promise<Project> {
  const state = change.state ?? before.state
  requireTransition(before.name, before.state, state)
  const name = change.new_name ?? before.name
  const target =
    typeof change.target_completion === 'string'
      ? parseTarget(change.target_completion, await readLocalTime(caller, now, tx.all))
      : replaceValue(before.targetDay, change.target_completion)
  return {
    ...before,
    name,
    nameKey: nameKey(name),
    description: replaceValue(before.description, change.description),
    path: replaceValue(before.path, change.path),
    phase: replaceValue(before.phase, change.phase),
    priority: change.priority ?? before.priority,
    givenProgress: replaceValue(before.givenProgress, change.progress),
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

function replaceValue<T>(before: T | undefined, change: T | null | undefined): T | undefined {
  return change === undefined ? before : (change ?? undefined)
}

type Place = { readonly tenant: string; readonly projectId: string; readonly now: number }

type Logging = {
  readonly by: string
  readonly change: ProjectChange
  readonly entryIds: readonly string[]
}

async function updateLog(tx: Tx, place: Place, { by, change, entryIds }: Logging): Promise<void> {
  for (const query of change.resolve_risks ?? [])
    await closeEntry(tx, place, { kind: 'risk', query, now: place.now })
  for (const query of change.resolve_blocks ?? [])
    await closeEntry(tx, place, { kind: 'blocked', query, now: place.now })
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

function notAMemberError(member: string, project: string, members: readonly string[]): ToolError {
  return new ToolError('TOOL_RESOURCE_NOT_FOUND', `${member} is not a member of "${project}".`, {
    details: { searched_name: member, available: members },
  })
}

const Entries = z.array(LogText).min(1).max(20)

const Input = z.object({
  project_name: ProjectNamed,
  new_name: ProjectTitle.optional(),
  description: Description.nullable().optional(),
  path: Path.nullable().optional(),
  phase: Phase.nullable().optional(),
  priority: Priority.optional(),
  progress: Progress.nullable()
    .optional()
    .describe('Per cent done; null computes it from the tasks again.'),
  target_completion: TargetText.nullable().optional(),
  state: ProjectState.optional().describe(
    'deleted hides it; with its id it can be made active again.',
  ),
  add_members: z.array(Member).min(1).max(50).optional(),
  remove_members: z.array(Member).min(1).max(50).optional(),
  completed_work: Entries.optional().describe('What was achieved, one line each.'),
  add_risks: z
    .array(z.object({ text: LogText, severity: Severity.default('medium') }))
    .min(1)
    .max(20)
    .optional(),
  resolve_risks: Entries.optional().describe('Risks to close, by text or id.'),
  add_blocks: Entries.optional().describe('New obstacles.'),
  resolve_blocks: Entries.optional().describe('Obstacles to close, by text or id.'),
})
type WriteExecution = Pick<
  Execution<z.output<typeof Input>, never>,
  'caller' | 'input' | 'newId' | 'now' | 'scopeOf'
>

export const projectUpdate = defineTool({
  id: 'project.update',
  title: 'Update Project',
  category: 'project_management',
  version: '2.0.0',
  aliases: ['tools.project.update'],
  description:
    'Change one of your own projects: name, phase, priority, target day, progress, members; record completed work, risks and obstacles, or close them; put it on hold, complete, archive, delete or restore it. Only the given fields change; null clears a field.',
  input: Input,
  output: z.object({ project_info: ProjectInfo }),
  contract: {
    effect: 'writes.project',
    reversible: true,
    idempotency: 'caller',
    permissions: {
      roles: ['user', 'power_user', 'admin'],
      capabilities: [{ name: 'project.write', scope: 'owned' }],
      resources: [{ type: 'project_data', mode: 'update', scope: 'owned' }],
    },
    limits: [
      { calls: 30, per: '1m' },
      { calls: 500, per: '1h' },
    ],
  },
  examples: [
    {
      name: 'a new phase and target',
      description: 'Phase, priority and target day',
      input: {
        project_name: 'PersonalManager',
        phase: 'beta',
        priority: 'high',
        target_completion: '2026-05-01',
      },
    },
    {
      name: 'what happened',
      description: 'Completed work, a risk and an obstacle',
      input: {
        project_name: 'PersonalManager',
        completed_work: ['Import of old notes works'],
        add_risks: [{ text: 'The only tester is away in March', severity: 'high' }],
        add_blocks: ['Waiting for the licence'],
      },
    },
  ],
  sideEffects: [
    {
      type: 'write',
      description: 'Changes a project record, its members and its log',
      reversible: true,
    },
  ],
  transaction: transact(changeProject, ({ caller, input, newId, now, scopeOf }: WriteExecution) => {
    requireOwnedScope(scopeOf('project.write'))
    return {
      caller,
      now: now(),
      change: input,
      entryIds: Array.from({ length: countEntries(input) }, () => newId('log')),
    }
  }),
})

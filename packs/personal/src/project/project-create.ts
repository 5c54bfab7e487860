import {
  type Caller,
  defineTool,
  defineTransaction,
  type Execution,
  transact,
} from '@surehand/core'
import { z } from 'zod'
import { readLocalTime } from '../local-time.ts'
import { nameKey } from '../name-key.ts'
import { personOf } from '../person.ts'
import type { Project } from './project.ts'
import { ProjectInfo, projectInfo } from './project-info.ts'
import { requireOwnedScope } from './reach.ts'
import { parseTarget } from './read-target.ts'
import {
  Description,
  Member,
  Path,
  Phase,
  Priority,
  Progress,
  ProjectTitle,
  TargetText,
} from './shapes.ts'
import { addMembers, insertProject, nameTakenError, readMembers } from './store-project.ts'

type NewProject = {
  readonly name: string
  readonly priority: Priority
  readonly description?: string | undefined
  readonly path?: string | undefined
  readonly phase?: string | undefined
  readonly progress?: number | undefined
  readonly target_completion?: string | undefined
  readonly members?: readonly string[] | undefined
}

type CreateArgs = {
  readonly caller: Caller
  readonly id: string
  readonly now: number
  readonly project: NewProject
}

const createProject = defineTransaction(
  'project.create',
  async (tx, { caller, id, now, project: input }: CreateArgs) => {
    const person = personOf(caller)
    const project: Project = {
      id,
      owner: person.owner,
      name: input.name,
      nameKey: nameKey(input.name),
      description: input.description,
      path: input.path,
      phase: input.phase,
      priority: input.priority,
      state: 'active',
      givenProgress: input.progress,
      targetDay:
        input.target_completion === undefined
          ? undefined
          : parseTarget(input.target_completion, await readLocalTime(caller, now, tx.all)),
      createdAt: now,
      updatedAt: now,
      completedAt: undefined,
    }
    if ((await insertProject(tx, person, project)) === 'name taken')
      throw nameTakenError(input.name)
    const others = (input.members ?? []).filter((member) => member !== person.owner)
    await addMembers(tx, { tenant: person.tenant, projectId: id, now }, others)
    return { project_info: projectInfo(project, await readMembers(tx.all, person.tenant, id)) }
  },
)

const Input = z.object({
  name: ProjectTitle,
  description: Description.optional(),
  path: Path.optional(),
  phase: Phase.optional(),
  priority: Priority.default('medium'),
  progress: Progress.optional().describe(
    'Per cent done, to set it yourself; by default it is computed from the tasks.',
  ),
  target_completion: TargetText.optional(),
  members: z
    .array(Member)
    .max(50)
    .optional()
    .describe('Who else may see it. Only you can change it.'),
})
type WriteExecution = Pick<
  Execution<z.output<typeof Input>, never>,
  'caller' | 'input' | 'newId' | 'now' | 'scopeOf'
>

export const projectCreate = defineTool({
  id: 'project.create',
  title: 'Create Project',
  category: 'project_management',
  version: '2.0.0',
  aliases: ['tools.project.create'],
  description:
    'Create a project: a goal that takes more than one step. Names are unique among your projects. Tasks are added to it when they are captured or clarified.',
  input: Input,
  output: z.object({ project_info: ProjectInfo }),
  contract: {
    effect: 'writes.project',
    reversible: true,
    idempotency: 'caller',
    permissions: {
      roles: ['user', 'power_user', 'admin'],
      capabilities: [{ name: 'project.write', scope: 'owned' }],
      resources: [{ type: 'project_data', mode: 'create', scope: 'owned' }],
    },
    limits: [
      { calls: 10, per: '1m' },
      { calls: 100, per: '1h' },
    ],
  },
  examples: [
    {
      name: 'a project by its name',
      description: 'Just the name',
      input: { name: 'Garden house' },
    },
    {
      name: 'a project with a target',
      description: 'Phase, priority and the day it should be finished',
      input: {
        name: 'Website relaunch',
        description: 'New pages, new shop',
        phase: 'planning',
        priority: 'high',
        target_completion: '2026-06-30',
      },
    },
  ],
  sideEffects: [{ type: 'write', description: 'Creates a project record', reversible: true }],
  transaction: transact(createProject, ({ caller, input, newId, now, scopeOf }: WriteExecution) => {
    requireOwnedScope(scopeOf('project.write'))
    return { caller, id: newId('prj'), now: now(), project: input }
  }),
})

import { type Caller, defineTransaction, ToolError } from '@surehand/core'
import { nameKey } from '../name-key.ts'
import { personOf } from '../person.ts'
import { hereOf } from '../task/here.ts'
import { addMembers, insertProject, membersOf } from './keep-project.ts'
import type { Project } from './project.ts'
import { projectInfo } from './project-info.ts'
import { readTarget } from './read-target.ts'
import type { Priority } from './shapes.ts'

export type NewProject = {
  readonly name: string
  readonly priority: Priority
  readonly description?: string | undefined
  readonly path?: string | undefined
  readonly phase?: string | undefined
  readonly progress?: number | undefined
  readonly target_completion?: string | undefined
  readonly members?: readonly string[] | undefined
}

export type CreateArgs = {
  readonly caller: Caller
  readonly id: string
  readonly now: number
  readonly project: NewProject
}

export const createProject = defineTransaction(
  'project.create',
  async (tx, { caller, id, now, project: asked }: CreateArgs) => {
    const person = personOf(caller)
    const project: Project = {
      id,
      owner: person.owner,
      name: asked.name,
      nameKey: nameKey(asked.name),
      description: asked.description,
      path: asked.path,
      phase: asked.phase,
      priority: asked.priority,
      state: 'active',
      givenProgress: asked.progress,
      targetDay:
        asked.target_completion === undefined
          ? undefined
          : readTarget(asked.target_completion, await hereOf(caller, now, tx.all)),
      createdAt: now,
      updatedAt: now,
      completedAt: undefined,
    }
    if ((await insertProject(tx, person, project)) === 'name taken') throw nameTaken(asked.name)
    const others = (asked.members ?? []).filter((member) => member !== person.owner)
    await addMembers(tx, { tenant: person.tenant, projectId: id, now }, others)
    return { project_info: projectInfo(project, await membersOf(tx.all, person.tenant, id)) }
  },
)

export function nameTaken(name: string): ToolError {
  return new ToolError(
    'TOOL_RESOURCE_ALREADY_EXISTS',
    `You have a project called "${name}" already: change that one with project.update, or take another name.`,
    {
      details: { name },
    },
  )
}

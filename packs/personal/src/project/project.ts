import { ToolError } from '@surehand/core'
import type { Row } from '@surehand/core/internal'
import type { Person } from '../person.ts'
import { PRIORITIES, PROJECT_STATES, type Priority, type ProjectState } from './shapes.ts'

/** A project as stored. */
export type Project = {
  readonly id: string
  readonly owner: string
  readonly name: string
  readonly nameKey: string
  readonly description: string | undefined
  readonly path: string | undefined
  readonly phase: string | undefined
  readonly priority: Priority
  readonly state: ProjectState
  /** The progress that was set; undefined when it is computed from the tasks. */
  readonly givenProgress: number | undefined
  readonly targetDay: string | undefined
  readonly createdAt: number
  readonly updatedAt: number
  readonly completedAt: number | undefined
}

export const PROJECT_COLUMNS = [
  'id',
  'owner',
  'name',
  'name_key',
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

export function toProject(row: Row): Project {
  return {
    id: String(row.id),
    owner: String(row.owner),
    name: String(row.name),
    nameKey: String(row.name_key),
    description: text(row.description),
    path: text(row.path),
    phase: text(row.phase),
    priority: PRIORITIES.find((one) => one === row.priority) ?? 'medium',
    state: PROJECT_STATES.find((one) => one === row.state) ?? 'active',
    givenProgress: number(row.progress),
    targetDay: text(row.target_day),
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
    completedAt: number(row.completed_at),
  }
}

export function roleIn({ owner }: Pick<Project, 'owner'>, person: Person): 'owner' | 'member' {
  return owner === person.owner ? 'owner' : 'member'
}

// A bigint may be returned as text, a double as a number.
function number(value: Row[string] | undefined): number | undefined {
  return value === null || value === undefined ? undefined : Number(value)
}

function text(value: Row[string] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** The allowed transitions. A deleted project stays stored and can be restored by its id. */
export const TRANSITIONS: Readonly<Record<ProjectState, readonly ProjectState[]>> = {
  active: ['on_hold', 'completed', 'archived', 'deleted'],
  on_hold: ['active', 'completed', 'archived', 'deleted'],
  completed: ['active', 'archived', 'deleted'],
  archived: ['active', 'deleted'],
  deleted: ['active'],
}

export function requireTransition(name: string, from: ProjectState, to: ProjectState): void {
  const allowed = TRANSITIONS[from]
  if (from === to || allowed.includes(to)) return
  throw new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    `"${name}" is ${from} and cannot become ${to}. It may become ${allowed.join(', ')}.`,
    {
      details: { field: 'state', from, to, allowed },
    },
  )
}

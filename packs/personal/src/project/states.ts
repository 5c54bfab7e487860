import { ToolError } from '@surehand/core'
import type { ProjectState } from './shapes.ts'

/** What may follow each state. What is deleted is kept, and comes back by its id. */
export const FOLLOWS: Readonly<Record<ProjectState, readonly ProjectState[]>> = {
  active: ['on_hold', 'completed', 'archived', 'deleted'],
  on_hold: ['active', 'completed', 'archived', 'deleted'],
  completed: ['active', 'archived', 'deleted'],
  archived: ['active', 'deleted'],
  deleted: ['active'],
}

export function refuseTransition(name: string, from: ProjectState, to: ProjectState): void {
  const allowed = FOLLOWS[from]
  if (from === to || allowed.includes(to)) return
  throw new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    `"${name}" is ${from} and can not become ${to}: it may become ${allowed.join(', ')}.`,
    {
      details: { field: 'state', from, to, allowed },
    },
  )
}

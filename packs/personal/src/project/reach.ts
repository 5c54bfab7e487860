import { ToolError } from '@surehand/core'
import type { Scope, SqlValue } from '@surehand/core/internal'
import type { Person } from '../person.ts'

/**
 * The projects that a person may see, as the first part of a statement: `with reached as (…)`,
 * which lists each project once.
 */
export type Reach = { readonly sql: string; readonly values: readonly SqlValue[] }

const OWN =
  "select p.tenant, p.id, p.owner from pm_projects p where p.tenant = ? and p.owner = ? and p.state <> 'deleted'"
const SHARED = `select p.tenant, p.id, p.owner from pm_project_members m join pm_projects p on p.tenant = m.tenant and p.id = m.project_id
  where m.tenant = ? and m.principal = ? and p.owner <> m.principal and p.state <> 'deleted'`

/**
 * Translates a scope to SQL: the person's own projects, or also those of which they are a member.
 * No scope reaches further, not even an administrator's.
 */
export function reachOf({ tenant, owner }: Person, scope: Scope): Reach {
  switch (scope) {
    case 'self':
    case 'owned':
      return { sql: `with reached as (${OWN})`, values: [tenant, owner] }
    case 'accessible':
    case 'analysis_only':
    case 'all':
      return {
        sql: `with reached as (${OWN} union all ${SHARED})`,
        values: [tenant, owner, tenant, owner],
      }
    default:
      throw new ToolError(
        'TOOL_RESOURCE_ACCESS_DENIED',
        `The scope "${scope}" does not allow reading projects.`,
        {
          details: { scope },
        },
      )
  }
}

/**
 * A task counts for a project while its owner is a member of the project. `t` is the task, `r` the
 * reached project.
 */
export const TASK_OF_PROJECT = `(t.owner = r.owner or exists
  (select 1 from pm_project_members w where w.tenant = t.tenant and w.project_id = t.project_id and w.principal = t.owner))`

/** The states in which a task is still to be done for its project. */
export const OPEN_TASK = "t.state in ('inbox', 'next_action', 'waiting_for')"

/**
 * Refuses another scope than "owned": the statements that write are bound to the owner, and would
 * not honour a wider scope.
 */
export function requireOwnedScope(scope: Scope): void {
  if (scope === 'owned') return
  throw new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    `project.write has the scope "${scope}", but only owners change projects. Declare the scope "owned" in the contract.`,
  )
}

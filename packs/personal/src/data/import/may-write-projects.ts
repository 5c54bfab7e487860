import type { Caller } from '@surehand/core'
import type { Grant } from '@surehand/core/internal'
import type { Family } from '../families.ts'
import type { ReadItems } from './import-item.ts'

const COVERING = ['project.write', 'project.*', '*']
// those that document 004 gives it to
const ROLES = ['power_user', 'admin']
const OF_PROJECTS: readonly Family[] = ['projects', 'project_members', 'project_log']

/**
 * May the caller write projects? An import asks for its own right alone, so this one is read from the caller, and never more generously
 * than project.create would: what is held under a condition, or by a role we do not know, counts as not held.
 */
export function mayWriteProjects({
  actor,
  roles,
  capabilities,
  delegated = [],
  scopes,
}: Caller): boolean {
  if (scopes !== undefined && !scopes.some(covers)) return false
  if (actor === 'ai_agent' && !delegated.some(covers)) return false
  return roles.some((role) => ROLES.includes(role)) || capabilities.some(isPlain)
}

function covers(name: string): boolean {
  return COVERING.includes(name)
}

function isPlain(held: string | Grant): boolean {
  if (typeof held === 'string') return covers(held)
  const reaches = held.scope === undefined || held.scope === 'owned'
  return covers(held.name) && reaches && held.conditions === undefined && held.when === undefined
}

/** What the caller may bring in; the rest is told. */
export function filterPermitted({ items, problems }: ReadItems, caller: Caller): ReadItems {
  if (mayWriteProjects(caller)) return { items, problems }
  const { theirs = [], refused = [] } = Object.groupBy(items, ({ family }) =>
    OF_PROJECTS.includes(family) ? 'refused' : 'theirs',
  )
  return {
    items: theirs,
    problems: [
      ...problems,
      ...refused.map(({ place }) => ({ place, problem: 'needs the right project.write' })),
    ],
  }
}

import type { Caller } from '@surehand/core'
import type { Grant } from '@surehand/core/internal'
import type { Family } from '../families.ts'
import type { ReadItems } from './import-item.ts'

const COVERING = ['project.write', 'project.*', '*']
// The roles that have it by document 004.
const ROLES = ['power_user', 'admin']
const OF_PROJECTS: readonly Family[] = ['projects', 'project_members', 'project_log']

/**
 * Whether the caller may write projects. The contract of an import covers only data.import, so this
 * capability is read from the caller, never more generously than project.create would: a capability
 * with a condition, or from an unknown role, does not count.
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

/** The items that the caller may import; the rest is reported. */
export function filterPermitted({ items, problems }: ReadItems, caller: Caller): ReadItems {
  if (mayWriteProjects(caller)) return { items, problems }
  const { theirs = [], refused = [] } = Object.groupBy(items, ({ family }) =>
    OF_PROJECTS.includes(family) ? 'refused' : 'theirs',
  )
  return {
    items: theirs,
    problems: [
      ...problems,
      ...refused.map(({ place }) => ({ place, problem: 'requires the capability project.write' })),
    ],
  }
}

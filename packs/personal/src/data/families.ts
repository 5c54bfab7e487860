import { ALL_TABLES, type Table } from './owned-tables.ts'

/** In the order in which they can be read in again: what others point at comes first. */
export const FAMILIES = [
  'preferences',
  'projects',
  'project_members',
  'project_log',
  'habits',
  'habit_records',
  'tasks',
  'deep_work',
  'reviews',
  'notes',
] as const
export type Family = (typeof FAMILIES)[number]

/** What is made anew from other rows, or belongs to the house: no export has it. */
export const NOT_EXPORTED: readonly string[] = ['note_links', 'note_heads', 'vault_files', 'system']

export function tableOf(family: Family): Table {
  const table = ALL_TABLES.find((one) => one.family === family)
  if (table === undefined) throw new TypeError(`There is no table for the family "${family}".`)
  return table
}

/** What the person has of it: members belong to whoever owns their project. */
export function ownRowsOf(family: Family): string {
  const { name } = tableOf(family)
  if (family !== 'project_members') return `${name} where tenant = ? and owner = ?`
  return `${name} where tenant = ? and project_id in (select p.id from pm_projects p where p.tenant = ${name}.tenant and p.owner = ?)`
}

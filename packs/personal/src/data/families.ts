import { ALL_TABLES, type Table } from './owned-tables.ts'

/** The families in the order of an import: rows that others refer to come first. */
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

/** Rows that are derived from other rows or belong to the tenant are not exported. */
export const NOT_EXPORTED: readonly string[] = ['note_links', 'note_heads', 'vault_files', 'system']

export function tableOf(family: Family): Table {
  const table = ALL_TABLES.find((one) => one.family === family)
  if (table === undefined) throw new TypeError(`There is no table for "${family}".`)
  return table
}

/** The condition for a person's own rows. Members of a project belong to its owner. */
export function ownRowsOf(family: Family): string {
  const { name } = tableOf(family)
  if (family !== 'project_members') return `${name} where tenant = ? and owner = ?`
  return `${name} where tenant = ? and project_id in (select p.id from pm_projects p where p.tenant = ${name}.tenant and p.owner = ?)`
}

import type { Scope } from './data-scope.ts'

export type StandardCapability = {
  readonly resource: string
  readonly mode: string
  readonly scope: Scope
}

/** Document 004's table, word for word. */
export const STANDARD_CAPABILITIES = {
  'habit.read': { resource: 'habit_data', mode: 'read', scope: 'self' },
  'habit.write': { resource: 'habit_data', mode: 'write', scope: 'self' },
  'habit.delete': { resource: 'habit_data', mode: 'delete', scope: 'self' },
  'project.read': { resource: 'project_data', mode: 'read', scope: 'accessible' },
  'project.write': { resource: 'project_data', mode: 'write', scope: 'owned' },
  'system.config.read': { resource: 'system_config', mode: 'read', scope: 'all' },
  'system.config.write': { resource: 'system_config', mode: 'write', scope: 'all' },
  'ai.explain': { resource: 'any', mode: 'read', scope: 'analysis_only' },
} as const satisfies Readonly<Record<string, StandardCapability>>

/** What the document grants or names elsewhere and forgets in its table. */
const FURTHER_CAPABILITIES = {
  'task.read': { resource: 'task_data', mode: 'read', scope: 'self' },
  'task.write': { resource: 'task_data', mode: 'write', scope: 'self' },
  'task.delete': { resource: 'task_data', mode: 'delete', scope: 'self' },
  'time.read': { resource: 'any', mode: 'read', scope: 'self' },
  'time.write': { resource: 'any', mode: 'write', scope: 'self' },
  'data.analyze': { resource: 'any', mode: 'read', scope: 'all' },
  'data.export': { resource: 'any', mode: 'read', scope: 'self' },
  'data.delete_all': { resource: 'any', mode: 'delete', scope: 'self' },
} as const satisfies Readonly<Record<string, StandardCapability>>

/** Every capability whose resource, mode and usual scope are known, by name. */
export const KNOWN_CAPABILITIES: ReadonlyMap<string, StandardCapability> = new Map(
  Object.entries({ ...STANDARD_CAPABILITIES, ...FURTHER_CAPABILITIES }),
)

/** The scope of a grant that names none: the table's, else everything. */
export function usualScope(capability: string): Scope {
  return KNOWN_CAPABILITIES.get(capability)?.scope ?? 'all'
}

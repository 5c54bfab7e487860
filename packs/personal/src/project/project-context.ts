import type { ReadContract } from '@surehand/core'
import { readLocalTime } from '../local-time.ts'
import { personOf } from '../person.ts'
import { bindReader } from '../personal-data.ts'
import type { ReadContext, ReadExecution } from '../read-context.ts'
import { type Reach, reachOf } from './reach.ts'

/**
 * What a read over projects works with: the person, a reader, their local time, and the projects
 * they may see.
 */
export type ProjectContext = ReadContext & { readonly reach: Reach }

/** The contract of every read over projects; document 004 defines it for project.status. */
export const PROJECT_READ = {
  effect: 'read',
  permissions: {
    roles: ['user', 'power_user', 'admin'],
    capabilities: [{ name: 'project.read', scope: 'accessible' }],
    resources: [{ type: 'project_data', mode: 'read', scope: 'accessible_to_user' }],
  },
  securityLevel: 'internal',
  limits: [
    { calls: 30, per: '1m' },
    { calls: 500, per: '1h' },
  ],
} as const satisfies ReadContract<never, never, never>

/** Opens the projects that the caller may see under this capability. */
export async function openProjectContext(
  execution: ReadExecution,
  capability: string,
): Promise<ProjectContext> {
  const read = bindReader(execution)
  const person = personOf(execution.caller)
  return {
    read,
    person,
    reach: reachOf(person, execution.scopeOf(capability)),
    localTime: await readLocalTime(execution.caller, execution.now(), read),
  }
}

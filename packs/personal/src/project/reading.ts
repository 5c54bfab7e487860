import type { ReadContract } from '@surehand/core'

/** What every read of projects asks for, in document 004's words for project.status. */
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

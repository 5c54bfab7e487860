import type { Permissions } from '@surehand/core'

type Mode = 'create' | 'read' | 'update' | 'delete'

const CAPABILITIES = {
  create: 'habit.write',
  read: 'habit.read',
  update: 'habit.write',
  delete: 'habit.delete',
} as const

/** The permissions for an operation on habits; every person has them over their own habits. */
export function habitPermissions(mode: Mode): Permissions {
  return {
    roles: ['user', 'power_user', 'admin'],
    capabilities: [{ name: CAPABILITIES[mode], scope: 'self_only' }],
    resources: [{ type: 'habit_data', mode, scope: 'current_user' }],
  }
}

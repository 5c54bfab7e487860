import {
  INHERITS,
  KNOWN_CAPABILITIES,
  type PermissionScheme,
  type Role,
} from '@surehand/core/internal'
import type {
  CapabilityDefinition,
  PermissionSchemeDefinition,
  RoleDefinition,
} from './tool-definition.ts'

const VERSION = '2.0.0'

const DESCRIPTIONS: Readonly<Record<Role, string>> = {
  user: 'Regular user',
  power_user: 'Advanced user',
  admin: 'System administrator',
  developer: 'Tool developer',
  ai_agent: 'AI agent execution',
}

const ROLES: readonly Role[] = ['user', 'power_user', 'admin', 'developer', 'ai_agent']

/**
 * The scheme as document 004 publishes it: its five roles, every capability that is known or
 * granted, and who is given what.
 */
export function permissionSchemeDocument(scheme: PermissionScheme): PermissionSchemeDefinition {
  const granted = ROLES.flatMap((role) => namesGiven(role, scheme))
  const names = new Set([
    ...KNOWN_CAPABILITIES.keys(),
    ...granted.filter((name) => !name.endsWith('*')),
  ])
  return {
    version: VERSION,
    roles: byRole(
      (name): RoleDefinition => ({
        name,
        description: DESCRIPTIONS[name],
        inherits: INHERITS[name].slice(0, 1),
      }),
    ),
    capabilities: Object.fromEntries([...names].map((name) => [name, capabilityNamed(name)])),
    default_grants: byRole((role) => namesGiven(role, scheme)),
  }
}

function namesGiven(role: Role, scheme: PermissionScheme): string[] {
  return [...new Set((scheme.grants.get(role) ?? []).map(({ name }) => name))]
}

// a pack's own capability says by its last word what it does
function capabilityNamed(name: string): CapabilityDefinition {
  const known = KNOWN_CAPABILITIES.get(name)
  return known === undefined
    ? { name, resource: 'any', mode: name.split('.').at(-1) ?? name, scope: 'all' }
    : { name, ...known }
}

function byRole<V>(value: (role: Role) => V): Record<Role, V> {
  return {
    user: value('user'),
    power_user: value('power_user'),
    admin: value('admin'),
    developer: value('developer'),
    ai_agent: value('ai_agent'),
  }
}

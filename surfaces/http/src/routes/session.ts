import { isAdministrator } from '@surehand/core/internal'
import { SessionSchema } from '@surehand/edge/api'
import type { Route } from '../route.ts'

/** Who the caller is. */
export const sessionRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/session',
    command: 'session.get',
    summary: 'Returns who you are: the tenant, principal and roles behind your credential.',
    returns: {
      schema: () => SessionSchema,
      example: {
        tenant: 'home',
        principal: 'ann',
        actor: 'user',
        roles: ['user'],
        is_administrator: false,
      },
    },
    handle: (_, caller) => ({
      tenant: caller.tenant,
      principal: caller.principal,
      actor: caller.actor,
      roles: caller.roles,
      is_administrator: isAdministrator(caller),
    }),
  },
]

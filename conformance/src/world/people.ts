import { ANONYMOUS, type Caller } from '@surehand/core'

/** A signed-in person of the tenant `acme`. */
export function person(principal: string, more: Partial<Caller> = {}): Caller {
  return {
    tenant: 'acme',
    principal,
    actor: 'user',
    roles: ['user'],
    capabilities: [],
    session: `session of ${principal}`,
    ...more,
  }
}

export const ann = person('ann')
export const bob = person('bob')
export const root = person('root', { roles: ['admin'] })
/** Another tenant: the same name, nothing in common. */
export const annOfGlobex = person('ann', { tenant: 'globex' })
export const anonymous: Caller = {
  tenant: 'acme',
  principal: ANONYMOUS.principal,
  actor: 'user',
  roles: ['user'],
  capabilities: [],
}

/** An agent that acts for this person. */
export function agentOf(caller: Caller, more: Partial<Caller> = {}): Caller {
  return { ...caller, actor: 'ai_agent', ...more }
}

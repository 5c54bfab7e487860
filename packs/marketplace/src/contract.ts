import type { Execution } from '@surehand/core'

/** What agents and people of the marketplace may do. */
export const READ = { permissions: { roles: ['user'], capabilities: ['marketplace.read'] } }
export const WRITE = { permissions: { roles: ['user'], capabilities: ['marketplace.write'] } }
export const CALL = { permissions: { roles: ['user'], capabilities: ['marketplace.call'] } }

/** Parts of other tools and the operators' own tools: no agent may call or see them. */
export const OPERATE = {
  permissions: {
    capabilities: ['marketplace.operate'],
    when: { attribute: 'caller.actor', op: 'ne', value: 'ai_agent' },
  },
} as const

/** What every transaction of the marketplace is given. It must be plain data. */
export type WriteRequest<I> = {
  readonly tenant: string
  readonly actor: 'user' | 'ai_agent' | 'system'
  readonly principal: string
  readonly now: number
  /** A fresh id for the first row that is created; more are made from it. */
  readonly id: string
  readonly input: I
}

type WriteExecution<I> = Pick<Execution<I, never>, 'input' | 'caller' | 'now' | 'newId'>

/** Makes the arguments of a transaction from a call; the prefix names what is created. */
export function writeRequest<I>(prefix: string) {
  return ({ input, caller, now, newId }: WriteExecution<I>): WriteRequest<I> => ({
    tenant: caller.tenant,
    actor: caller.actor,
    principal: caller.principal,
    now: now(),
    id: newId(prefix),
    input,
  })
}

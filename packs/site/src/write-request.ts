import type { Execution } from '@surehand/core'
import { OPERATE } from './visitor-contract.ts'

/** For the owner and the people who run the site; no agent may call or see these tools. */
export const operatorOnly = {
  permissions: {
    capabilities: [OPERATE],
    when: { attribute: 'caller.actor', op: 'ne', value: 'ai_agent' },
  },
} as const

/** For the server's own work: routes and schedules. */
export const systemOnly = {
  permissions: {
    capabilities: [OPERATE],
    when: { attribute: 'caller.actor', op: 'eq', value: 'system' },
  },
} as const

/** What every transaction of the pack is given. It must be plain data. */
export type WriteRequest<I> = {
  readonly tenant: string
  readonly principal: string
  readonly now: number
  readonly id: string
  readonly input: I
}

type WriteExecution<I> = Pick<Execution<I, never>, 'input' | 'caller' | 'now' | 'newId'>

/** Makes the arguments of a transaction from a call; the prefix names what is created. */
export function writeRequest<I>(prefix: string) {
  return ({ input, caller, now, newId }: WriteExecution<I>): WriteRequest<I> => ({
    tenant: caller.tenant,
    principal: caller.principal,
    now: now(),
    id: newId(prefix),
    input,
  })
}

import type { Caller } from '@surehand/core'

/** For whom a provider works. It comes from the caller, never from the input of a tool. */
export type TravelContext = {
  readonly tenant: string
  readonly userId: string
}

/** The execution context of a call, as document 000 calls it. */
export function contextOf({ tenant, principal }: Caller): TravelContext {
  return { tenant, userId: principal }
}

import type { Caller } from '@surehand/core'

/** For whom a provider works. It comes from the caller, never from the input of a tool. */
export type TravelContext = {
  readonly tenant: string
  readonly userId: string
}

export function contextOf({ tenant, principal }: Caller): TravelContext {
  return { tenant, userId: principal }
}

/**
 * The execution context of a search, as document 000 calls it. The address is as the surface saw it:
 * the command line and calls that are resumed have none. Writes do not get it, because they are
 * repeated with the same arguments, wherever the repetition comes from.
 */
export type SearchContext = TravelContext & {
  readonly sessionId?: string
  readonly ip?: string
}

export function searchContextOf(caller: Caller): SearchContext {
  const { session, ip } = caller
  return {
    ...contextOf(caller),
    ...(session === undefined ? {} : { sessionId: session }),
    ...(ip === undefined ? {} : { ip }),
  }
}

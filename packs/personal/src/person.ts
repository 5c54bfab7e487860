import type { Caller } from '@surehand/core'
import type { Reader } from './personal-data.ts'

/** Whose data it is. */
export type Person = { readonly tenant: string; readonly owner: string }

export function personOf({ tenant, principal }: Caller): Person {
  return { tenant, owner: principal }
}

const SELECT_ZONE = "select value from pm_preferences where tenant = ? and owner = ? and name = 'time_zone'"

/** Where the person's days begin: what they said of themselves, else what their credential says, else UTC. */
export async function zoneOf(caller: Caller, read: Reader): Promise<string> {
  const [row] = await read(SELECT_ZONE, caller.tenant, caller.principal)
  return typeof row?.value === 'string' ? row.value : (caller.timeZone ?? 'UTC')
}

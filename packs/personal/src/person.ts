import type { Caller } from '@surehand/core'
import { isTimeZone } from '@surehand/dates'
import type { Reader } from './personal-data.ts'

/** Whose data it is. */
export type Person = { readonly tenant: string; readonly owner: string }

export function personOf({ tenant, principal }: Caller): Person {
  return { tenant, owner: principal }
}

const SELECT_ZONES = `select 'own' as said_by, value from pm_preferences where tenant = ? and owner = ? and name = 'time_zone'
  union all select 'house' as said_by, value from pm_system where tenant = ? and name = 'default_time_zone'`

/** Where the person's days begin: what they said of themselves, else what their credential says, else what the house says, else UTC. */
export async function zoneOf(caller: Caller, read: Reader): Promise<string> {
  const rows = await read(SELECT_ZONES, caller.tenant, caller.principal, caller.tenant)
  const saidBy = (who: string) => rows.find(({ said_by }) => said_by === who)?.value
  return firstZone(saidBy('own'), caller.timeZone, saidBy('house'))
}

/** The first that is a zone. One that is none would make every day of the person an error: whoever let it in, it is passed over. */
export function firstZone(...said: readonly unknown[]): string {
  return said.find((zone): zone is string => typeof zone === 'string' && isTimeZone(zone)) ?? 'UTC'
}

import type { Caller } from '@surehand/core'
import { type Day, dayOf, isTimeZone } from '@surehand/dates'
import type { Reader } from './personal-data.ts'
import type { ParsedDates } from './task/write-request.ts'

/** The current moment and the calendar day that it is in the person's time zone. */
export type LocalTime = {
  readonly now: number
  readonly zone: string
  readonly today: Day
  /** Dates in words that were parsed before the transaction began. */
  readonly parsedDates?: ParsedDates['dues']
}

export function localTimeIn(zone: string, now: number): LocalTime {
  return { now, zone, today: dayOf(now, zone) }
}

/**
 * Reads the time zone from the database, so that a transaction and a read agree on what day it is.
 */
export async function readLocalTime(caller: Caller, now: number, read: Reader): Promise<LocalTime> {
  return localTimeIn(await readTimeZone(caller, read), now)
}

const SELECT_ZONES = `select 'person' as set_by, value from pm_preferences where tenant = ? and owner = ? and name = 'time_zone'
  union all select 'tenant' as set_by, value from pm_system where tenant = ? and name = 'default_time_zone'`

/**
 * The zone in which the person's days begin: the preference of the person, else the zone of their
 * credential, else the default of the tenant, else UTC.
 */
export async function readTimeZone(caller: Caller, read: Reader): Promise<string> {
  const rows = await read(SELECT_ZONES, caller.tenant, caller.principal, caller.tenant)
  const setBy = (who: string) => rows.find(({ set_by }) => set_by === who)?.value
  return firstValidZone(setBy('person'), caller.timeZone, setBy('tenant'))
}

/**
 * The first valid time zone. An invalid one is skipped: it would make every date of the person an
 * error.
 */
export function firstValidZone(...zones: readonly unknown[]): string {
  return zones.find((zone): zone is string => typeof zone === 'string' && isTimeZone(zone)) ?? 'UTC'
}

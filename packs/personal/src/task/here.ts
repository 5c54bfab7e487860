import type { Caller } from '@surehand/core'
import { type Day, dayOf } from '@surehand/dates'
import { zoneOf } from '../person.ts'
import type { Reader } from '../personal-data.ts'
import type { Ahead } from './read-ahead.ts'

/** The moment, as the person lives it. */
export type Here = {
  readonly now: number
  readonly zone: string
  readonly today: Day
  /** What words say of this moment, as far as it was read already. */
  readonly ahead?: Ahead['dues']
}

export function hereIn(zone: string, now: number): Here {
  return { now, zone, today: dayOf(now, zone) }
}

/** Read where the data is: a transaction and a read must agree on what day it is. */
export async function hereOf(caller: Caller, now: number, read: Reader): Promise<Here> {
  return hereIn(await zoneOf(caller, read), now)
}

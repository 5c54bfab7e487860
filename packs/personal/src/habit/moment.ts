import type { Caller, Execution } from '@surehand/core'
import type { Scope } from '@surehand/core/internal'
import { type Day, dayOf } from '@surehand/dates'
import { type Person, zoneOf } from '../person.ts'
import { type PersonalData, type Reader, readerOf } from '../personal-data.ts'
import type { PlacedDay } from './streak.ts'
import { whose } from './whose.ts'

/** Now, as the person's calendar and clock show it. */
export type Moment = { readonly now: number; readonly zone: string; readonly today: Day }

export async function momentOf(caller: Caller, now: number, read: Reader): Promise<Moment> {
  const zone = await zoneOf(caller, read)
  return { now, zone, today: dayOf(now, zone) }
}

export function placed({ today, zone }: Moment): PlacedDay {
  return { day: today, zone }
}

type Reading = {
  readonly caller: Caller
  readonly scopeOf: (capability: string) => Scope
  readonly now: () => number
  readonly ports: { readonly data: PersonalData }
  readonly signal: AbortSignal
}

/** What every read of habits begins with: whose, with what, and when. */
export async function openHabits(
  execution: Reading,
): Promise<{ readonly read: Reader; readonly person: Person; readonly moment: Moment }> {
  const person = whose(execution, 'habit.read')
  const read = readerOf(execution)
  return { read, person, moment: await momentOf(execution.caller, execution.now(), read) }
}

/** What every write of habits is told of its call: whose, by whom, and when. */
export type WriteCall = { readonly person: Person; readonly caller: Caller; readonly now: number }

/** What a write's arguments are made of. */
export type Writing<I> = Omit<Execution<I, object>, 'signal' | 'report'>

export function writeCall(
  execution: Pick<Reading, 'caller' | 'scopeOf' | 'now'>,
  capability: string,
): WriteCall {
  return { person: whose(execution, capability), caller: execution.caller, now: execution.now() }
}

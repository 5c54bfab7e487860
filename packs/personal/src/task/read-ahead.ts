import type { Caller } from '@surehand/core'
import { firstZone } from '../person.ts'
import { type Due, dueIn } from './due.ts'
import { type Here, hereIn } from './here.ts'

/** Dates that were read before a transaction began, as they are in the zone of the person's sign-in. */
export type Ahead = {
  readonly zone: string
  readonly dues: readonly (readonly [text: string, due: Due | null])[]
}

/**
 * Where the person said no other zone, this is what the transaction would read. Reading words takes long enough, the first time
 * most of all, to keep everybody waiting who writes.
 */
export function readAhead(
  caller: Caller,
  now: number,
  texts: readonly (string | null | undefined)[],
): Ahead {
  const here = signInHere(caller, now)
  const said = [...new Set(texts.filter((text) => typeof text === 'string'))]
  return { zone: here.zone, dues: said.map((text) => [text, dueIn(text, here) ?? null] as const) }
}

/** The moment as the sign-in alone would have it. */
export function signInHere({ timeZone }: Caller, now: number): Here {
  return hereIn(firstZone(timeZone), now)
}

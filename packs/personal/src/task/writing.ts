import type { Caller, Tx } from '@surehand/core'
import type { Scope } from '@surehand/core/internal'
import type { Person } from '../person.ts'
import { type Here, hereOf } from './here.ts'
import { own } from './own.ts'
import { type Ahead, readAhead } from './read-ahead.ts'

/** What every write is told of its call: whose, by whom, when, and what was asked for. */
export type Writing<I> = {
  readonly person: Person
  readonly caller: Caller
  readonly now: number
  readonly input: I
  /** Dates in words that it will need. */
  readonly ahead?: Ahead
}

/** What a write takes from its call. */
export type Acting<I> = {
  readonly input: I
  readonly caller: Caller
  readonly scopeOf: (capability: string) => Scope
  readonly now: () => number
  readonly newId: (prefix: string) => string
}

export function writing<I>(execution: Acting<I>, ...capabilities: readonly string[]): Writing<I> {
  return {
    person: own(execution, ...capabilities),
    caller: execution.caller,
    now: execution.now(),
    input: execution.input,
  }
}

/** The moment of a write, as the person lives it: told by the same rows the write changes. */
export async function hereWhen(
  tx: Tx,
  { caller, now, ahead }: Pick<Writing<unknown>, 'caller' | 'now' | 'ahead'>,
): Promise<Here> {
  const here = await hereOf(caller, now, tx.all)
  return ahead !== undefined && ahead.zone === here.zone ? { ...here, ahead: ahead.dues } : here
}

/** The same with dates in words, read where nobody waits for it. */
export function writingDates<I>(
  execution: Acting<I>,
  texts: readonly (string | null | undefined)[],
): Writing<I> {
  const call = writing(execution, 'task.write')
  return { ...call, ahead: readAhead(call.caller, call.now, texts) }
}

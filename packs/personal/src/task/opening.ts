import type { Caller } from '@surehand/core'
import type { Scope } from '@surehand/core/internal'
import type { Person } from '../person.ts'
import { type PersonalData, type Reader, readerOf } from '../personal-data.ts'
import { type Here, hereOf } from './here.ts'
import { own } from './own.ts'

export type Opened = { readonly person: Person; readonly read: Reader; readonly here: Here }

type Acting = {
  readonly caller: Caller
  readonly scopeOf: (capability: string) => Scope
  readonly now: () => number
  readonly ports: { readonly data: PersonalData }
  readonly signal: AbortSignal
}

/** What every read begins with: whose rows, with what they are read, and what moment it is. */
export async function opened(
  execution: Acting,
  ...capabilities: readonly string[]
): Promise<Opened> {
  const person = own(execution, ...capabilities)
  const read = readerOf(execution)
  return { person, read, here: await hereOf(execution.caller, execution.now(), read) }
}

import type { Caller } from '@surehand/core'
import type { Scope } from '@surehand/core/internal'
import { type Person, personOf } from '../person.ts'
import { type PersonalData, readerOf } from '../personal-data.ts'
import { hereOf } from '../task/here.ts'
import type { Looking } from './project-facts.ts'
import { reachOf } from './reach.ts'

type Acting = {
  readonly caller: Caller
  readonly ports: { readonly data: PersonalData }
  readonly signal: AbortSignal
  readonly scopeOf: (capability: string) => Scope
  readonly now: () => number
}

/** What every read of projects begins with: who looks, how far they may, and what day it is for them. */
export async function lookingBy(
  acting: Acting,
  capability: string,
): Promise<Looking & { readonly person: Person }> {
  const read = readerOf(acting)
  const person = personOf(acting.caller)
  return {
    read,
    person,
    reach: reachOf(person, acting.scopeOf(capability)),
    here: await hereOf(acting.caller, acting.now(), read),
  }
}

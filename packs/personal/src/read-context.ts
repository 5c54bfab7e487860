import type { Execution } from '@surehand/core'
import { type LocalTime, readLocalTime } from './local-time.ts'
import { type Person, requireSelfScope } from './person.ts'
import { bindReader, type PersonalData, type Reader } from './personal-data.ts'

/** What a read tool works with: the owner of the rows, a reader, and the owner's local time. */
export type ReadContext = {
  readonly person: Person
  readonly read: Reader
  readonly localTime: LocalTime
}

/** The part of a call that a read needs. */
export type ReadExecution = Pick<
  Execution<unknown, { readonly data: PersonalData }>,
  'caller' | 'scopeOf' | 'now' | 'ports' | 'signal'
>

/** Opens the caller's own data for reading, under these capabilities. */
export async function openReadContext(
  execution: ReadExecution,
  ...capabilities: readonly string[]
): Promise<ReadContext> {
  const person = requireSelfScope(execution, ...capabilities)
  const read = bindReader(execution)
  return { person, read, localTime: await readLocalTime(execution.caller, execution.now(), read) }
}

import type { Caller, Tx } from '@surehand/core'
import { firstValidZone, type LocalTime, localTimeIn, readLocalTime } from '../local-time.ts'
import { type Person, requireSelfScope, type WriteExecution } from '../person.ts'
import { type Due, parseDue } from './due.ts'

/**
 * The arguments of a write transaction: the owner of the rows, the caller, the time and the input.
 */
export type WriteRequest<I> = {
  readonly person: Person
  readonly caller: Caller
  readonly now: number
  readonly input: I
  readonly parsedDates?: ParsedDates
}

/**
 * Dates in words, parsed before the transaction began, in the time zone of the person's credential.
 */
export type ParsedDates = {
  readonly zone: string
  readonly dues: readonly (readonly [text: string, due: Due | null])[]
}

export function buildWriteRequest<I>(
  execution: WriteExecution<I>,
  ...capabilities: readonly string[]
): WriteRequest<I> {
  return {
    person: requireSelfScope(execution, ...capabilities),
    caller: execution.caller,
    now: execution.now(),
    input: execution.input,
  }
}

/** A write request whose dates in words are parsed before the transaction takes the write lock. */
export function buildDatedWriteRequest<I>(
  execution: WriteExecution<I>,
  texts: readonly (string | null | undefined)[],
): WriteRequest<I> {
  const request = buildWriteRequest(execution, 'task.write')
  return { ...request, parsedDates: parseDates(request.caller, request.now, texts) }
}

/**
 * Parses dates in words ahead of the transaction. Parsing is slow, most of all the first time, and
 * inside the transaction every other writer would wait for it. The result is used unless the person
 * has set another time zone than that of their credential.
 */
export function parseDates(
  caller: Caller,
  now: number,
  texts: readonly (string | null | undefined)[],
): ParsedDates {
  const localTime = credentialLocalTime(caller, now)
  const distinct = [...new Set(texts.filter((text) => typeof text === 'string'))]
  return {
    zone: localTime.zone,
    dues: distinct.map((text) => [text, parseDue(text, localTime) ?? null] as const),
  }
}

/**
 * The local time by the time zone of the credential, which is known without reading the database.
 */
export function credentialLocalTime({ timeZone }: Caller, now: number): LocalTime {
  return localTimeIn(firstValidZone(timeZone), now)
}

/**
 * The person's local time for a write, read in the same transaction as the rows that it changes.
 */
export async function readRequestTime(
  tx: Tx,
  { caller, now, parsedDates }: Pick<WriteRequest<unknown>, 'caller' | 'now' | 'parsedDates'>,
): Promise<LocalTime> {
  const localTime = await readLocalTime(caller, now, tx.all)
  return parsedDates !== undefined && parsedDates.zone === localTime.zone
    ? { ...localTime, parsedDates: parsedDates.dues }
    : localTime
}

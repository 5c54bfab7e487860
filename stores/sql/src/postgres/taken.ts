import { isToolError, ToolError } from '@surehand/core'
import type { KeyScope } from '@surehand/core/ports'
import { storageError } from '../storage-error.ts'
import { serverCode } from './trouble.ts'

/**
 * Takes an advisory lock for the transaction, or fails it at once: the statements sent after it
 * then fail too, and no session waits inside the database for the holder of the lock.
 */
export function takeNumber(number: string): string {
  return `select ${taking(number)}`
}

/** The same inside another statement; the lock's number is the last of its values. */
export function withTake(text: string): string {
  return text.replace('{take}', `and ${taking('?')} = 1`)
}

/** The same for many: their numbers are a JSON list. */
export function takeNumbers(numbers: string): string {
  return `select min(${taking('cast(number as bigint)')}) from json_array_elements_text(${numbers}) as numbers (number)`
}

function taking(number: string): string {
  return `1 / cast(pg_try_advisory_xact_lock(${number}) as integer)`
}

const DIVISION_BY_ZERO = '22012'
const RETRY_AFTER_MS = 1_000

/** The error of the statement above as our own. */
export function refusal(thrown: unknown): ToolError {
  return serverCode(thrown) === DIVISION_BY_ZERO ? keyInUseError(thrown) : storageError(thrown)
}

/** The lock's name under which one local effect at a time is executed. */
export function keyName(call: KeyScope): string {
  return JSON.stringify(['key', call.tenant, call.principal, call.toolId, call.key])
}

/** Another transaction holds the key, and until it ends its result is not visible. */
export function keyInUseError(cause: unknown): ToolError {
  return new ToolError(
    'TOOL_ALREADY_RUNNING',
    'A call with this key, or with this input, is under way at this moment.',
    {
      details: { retry_after_ms: RETRY_AFTER_MS },
      effect: 'none',
      cause,
    },
  )
}

/** Whether the error is this one, and not one thrown by the transaction function. */
export function isTaken(thrown: unknown): boolean {
  return (
    isToolError(thrown) &&
    thrown.code === 'TOOL_ALREADY_RUNNING' &&
    serverCode(thrown) !== undefined
  )
}

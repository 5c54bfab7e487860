import { isToolError, ToolError } from '@surehand/core'
import type { KeyScope } from '@surehand/core/ports'
import { storageError } from '../storage-error.ts'
import { serverCode } from './trouble.ts'

/**
 * Takes a name's number for the transaction, or breaks it: what was sent behind it then fails at
 * once, and nobody waits for whoever has it inside the database, with a session in hand.
 */
export function takeNumber(number: string): string {
  return `select ${taking(number)}`
}

/** The same inside another statement, which then does nothing before it has the number; the number is the last of its values. */
export function withTake(text: string): string {
  return text.replace('{take}', `and ${taking('?')} = 1`)
}

function taking(number: string): string {
  return `1 / cast(pg_try_advisory_xact_lock(${number}) as integer)`
}

const DIVISION_BY_ZERO = '22012'
const RETRY_AFTER_MS = 1_000

/** What the statement above broke on, in our words. */
export function refusal(thrown: unknown): ToolError {
  return serverCode(thrown) === DIVISION_BY_ZERO ? taken(thrown) : storageError(thrown)
}

/** The name under which one local effect at a time is done. */
export function keyName(call: KeyScope): string {
  return JSON.stringify(['key', call.tenant, call.principal, call.toolId, call.key])
}

/** Another transaction holds the key, and until it ends its result is not visible. */
export function taken(cause: unknown): ToolError {
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

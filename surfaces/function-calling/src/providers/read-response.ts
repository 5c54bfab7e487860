import { ToolError } from '@surehand/core'
import { isRecord } from '@surehand/core/internal'

export type Members = Readonly<Record<string, unknown>>

export function membersOf(value: unknown): Members {
  return isRecord(value) ? value : {}
}

export function listOf(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The error for an error message of the vendor, or for anything else that is not a response. */
export function invalidResponse(what: string, given: unknown): ToolError {
  const { error } = membersOf(given)
  const message = textOf(membersOf(error).message)
  return new ToolError(
    'TOOL_EXTERNAL_SERVICE_ERROR',
    `This is not a ${what}${message === '' ? '.' : `: ${message}`}`,
  )
}

const LONGEST_REASON = 60

/**
 * Why the calls of a response are not made; undefined if its finish reason guarantees that they are
 * complete. Vendors add reasons: one that is not known here may also mean an incomplete call.
 */
export function incompleteReason(
  reason: unknown,
  complete: readonly unknown[],
): string | undefined {
  if (complete.includes(reason)) return undefined
  return `the response ended with ${typeof reason === 'string' ? `"${reason.slice(0, LONGEST_REASON)}"` : 'no reason'}`
}

/**
 * The first of several alternative answers, which is the one that goes into the conversation.
 * Streams contain them in any order.
 */
export function firstOf(answers: unknown): Members | undefined {
  return listOf(answers).find(({ index }, place) => (index ?? place) === 0)
}

export function othersOf(answers: unknown): readonly Members[] {
  const first = firstOf(answers)
  return listOf(answers).filter((answer) => answer !== first)
}

/** An error and not an empty list, which would mean that the model called nothing. */
export function callsInOtherAnswer(what: string): ToolError {
  const message = `Only the first answer of a ${what} is acted on, and the calls are in another one. Nothing was done.`
  return new ToolError('TOOL_CONFIGURATION_ERROR', message, {
    suggestions: ['Ask the model for one answer.'],
  })
}

/**
 * An incomplete response is never acted on: the rest of a call, or a second call, may be missing.
 */
export function incompleteStream(what: string): ToolError {
  return new ToolError(
    'TOOL_NETWORK_ERROR',
    `The stream of the ${what} ended before the response did. Ask the model again.`,
  )
}

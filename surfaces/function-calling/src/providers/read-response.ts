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

/** A vendor's refusal, or something else that is no response. */
export function invalidResponse(what: string, given: unknown): ToolError {
  const { error } = membersOf(given)
  const told = textOf(membersOf(error).message)
  return new ToolError(
    'TOOL_EXTERNAL_SERVICE_ERROR',
    `This is no ${what}${told === '' ? '.' : `: ${told}`}`,
  )
}

const LONGEST_REASON = 60

/**
 * Why the calls of a response are not made, unless it ended in a way that leaves them whole. Vendors add reasons: one that
 * isn't known here may mean half a call as well.
 */
export function incompleteReason(reason: unknown, whole: readonly unknown[]): string | undefined {
  if (whole.includes(reason)) return undefined
  return `the response ended with ${typeof reason === 'string' ? `"${reason.slice(0, LONGEST_REASON)}"` : 'no reason'}`
}

/** The first of several answers to one question, which is the one that goes into the conversation. Streams bring them in any order. */
export function firstOf(answers: unknown): Members | undefined {
  return listOf(answers).find(({ index }, place) => (index ?? place) === 0)
}

export function othersOf(answers: unknown): readonly Members[] {
  const first = firstOf(answers)
  return listOf(answers).filter((answer) => answer !== first)
}

/** To answer nothing would tell a host that the model called nothing. */
export function callsInOtherAnswer(what: string): ToolError {
  const message = `Only the first answer of a ${what} is acted on, and the calls are in another one. Nothing was done.`
  return new ToolError('TOOL_CONFIGURATION_ERROR', message, {
    suggestions: ['Ask the model for one answer.'],
  })
}

/** Half a response is never acted on: what is missing may be half of a call, or the second of two. */
export function incompleteStream(what: string): ToolError {
  return new ToolError(
    'TOOL_NETWORK_ERROR',
    `The stream of the ${what} ended before the response did. Ask the model again.`,
  )
}

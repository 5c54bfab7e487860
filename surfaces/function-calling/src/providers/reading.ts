import { type JsonSchema, ToolError } from '@surehand/core'

export type Members = Readonly<Record<string, unknown>>

export function isMembers(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function membersOf(value: unknown): Members {
  return isMembers(value) ? value : {}
}

export function listOf(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.filter(isMembers) : []
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** A vendor's refusal, or something else that is no response. */
export function notAResponse(what: string, given: unknown): ToolError {
  const { error } = membersOf(given)
  const told = textOf(membersOf(error).message)
  return new ToolError('TOOL_EXTERNAL_SERVICE_ERROR', `This is no ${what}${told === '' ? '.' : `: ${told}`}`)
}

/** Half a response is never acted on: what is missing may be half of a call, or the second of two. */
export function cutOff(what: string): ToolError {
  return new ToolError('TOOL_NETWORK_ERROR', `The stream of the ${what} ended before the response did. Ask the model again.`)
}

import { isRecord } from '@surehand/core/internal'
import type { Edit } from './edit.ts'

/**
 * Identifies the request that an interrupt shows to a person, so that the decision applies to
 * exactly what was shown.
 */
export type InterruptReference = {
  readonly kind: 'approval' | 'question'
  readonly id: string
  /** The digest of what was shown. */
  readonly digest: string
  /** The id of the model's call, also when the request belongs to one of its steps. */
  readonly call_id: string
  readonly tool: string
  readonly tool_call_id: string
  /** How many resume values the task had received before, for any interrupt. */
  readonly ordinal: number
  /** The edits of the model's input, in order. */
  readonly edits: readonly Edit[]
}

/** Reads the reference from a stored interrupt; undefined if other code raised the interrupt. */
export function readInterruptReference(shown: unknown): InterruptReference | undefined {
  const reference = isRecord(shown) ? shown.surehand : undefined
  return isInterruptReference(reference) ? reference : undefined
}

function isInterruptReference(value: unknown): value is InterruptReference {
  if (!isRecord(value) || (value.kind !== 'approval' && value.kind !== 'question')) return false
  const { id, digest, call_id: callId, tool, tool_call_id: toolCallId } = value
  const areTexts = [id, digest, callId, tool, toolCallId].every((text) => typeof text === 'string')
  return (
    areTexts &&
    typeof value.ordinal === 'number' &&
    Array.isArray(value.edits) &&
    value.edits.every(isEdit)
  )
}

function isEdit(value: unknown): value is Edit {
  return isRecord(value) && isRecord(value.shown) && isRecord(value.args)
}

/**
 * Whether a decision or an answer names another request: one that is posted twice must not apply to
 * the next request.
 */
export function namesAnotherRequest(
  { id }: Readonly<Record<string, unknown>>,
  requestId: string,
): boolean {
  return id !== undefined && id !== requestId
}

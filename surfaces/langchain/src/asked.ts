import { isRecord } from '@surehand/core/internal'
import type { Edit } from './edit.ts'

/** What was put to a person through the graph. It travels with the interrupt, and ties what they say to what they saw. */
export type Asked = {
  readonly kind: 'approval' | 'question'
  readonly id: string
  /** Of what was shown. */
  readonly digest: string
  /** Of the model's call, though it may be a step of it that asks. */
  readonly call_id: string
  readonly tool: string
  readonly tool_call_id: string
  /** How many answers this task was given before, whoever asked for them. */
  readonly ordinal: number
  /** What people made of the model's input, one time after the other. */
  readonly edits: readonly Edit[]
}

/** Reads it from what a checkpoint kept; undefined where the interrupt was somebody else's. */
export function askedIn(shown: unknown): Asked | undefined {
  const asked = isRecord(shown) ? shown.surehand : undefined
  return isAsked(asked) ? asked : undefined
}

function isAsked(value: unknown): value is Asked {
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

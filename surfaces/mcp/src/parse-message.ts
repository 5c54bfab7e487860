import { type Buffer, isUtf8 } from 'node:buffer'
import { parseJson } from '@surehand/core/host'
import { isRecord, toToolError } from '@surehand/core/internal'
import type { RpcId } from './answer-stream.ts'

export type ParsedMessage =
  | { readonly value: unknown }
  | { readonly problem: string; readonly id: RpcId }

/**
 * Parses the bytes of one message strictly: whatever two parsers could read differently is refused.
 */
export function parseMessage(bytes: Buffer, maxBytes: number): ParsedMessage {
  // Invalid bytes would be replaced silently, and the tool would get what the client did not send.
  if (!isUtf8(bytes)) return { problem: 'The message is not UTF-8.', id: null }
  const text = bytes.toString()
  try {
    return { value: parseJson(text, maxBytes) }
  } catch (thrown) {
    const lenient = parseLeniently(text)
    const call = callWithBadInput(lenient, maxBytes)
    return call === undefined
      ? { problem: toToolError(thrown).message, id: readMessageId(lenient) }
      : { value: call }
  }
}

function parseLeniently(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * The id of a message that is otherwise refused, so that the refusal reaches the request that waits
 * for it.
 */
export function readMessageId(message: unknown): RpcId {
  const id = isRecord(message) ? message.id : undefined
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

/**
 * A tools/call whose arguments exceed the limits (too many keys, too deep, a lone surrogate) is
 * still JSON: the runtime refuses and records it. Arguments with a repeated key are refused here,
 * because their meaning is ambiguous.
 */
function callWithBadInput(message: unknown, maxBytes: number): unknown {
  if (!isRecord(message) || message.method !== 'tools/call' || !isRecord(message.params))
    return undefined
  const { arguments: input, ...params } = message.params
  return !exceedsLimits({ ...message, params }, maxBytes) && exceedsLimits(input, maxBytes)
    ? message
    : undefined
}

function exceedsLimits(value: unknown, maxBytes: number): boolean {
  try {
    parseJson(JSON.stringify(value), maxBytes)
    return false
  } catch {
    return true
  }
}

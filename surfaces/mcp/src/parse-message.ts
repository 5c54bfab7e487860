import { type Buffer, isUtf8 } from 'node:buffer'
import { parseJson } from '@surehand/core/host'
import { toToolError } from '@surehand/core/internal'
import type { RpcId } from './answer-stream.ts'
import { isRecord } from './request.ts'

export type ParsedMessage =
  | { readonly value: unknown }
  | { readonly trouble: string; readonly id: RpcId }

/** The bytes of one message, read so that nobody could read them in another way. */
export function parseMessage(bytes: Buffer, maxBytes: number): ParsedMessage {
  // they would be replaced silently, and the tool be given what nobody sent
  if (!isUtf8(bytes)) return { trouble: 'The message is not UTF-8.', id: null }
  const text = bytes.toString()
  try {
    return { value: parseJson(text, maxBytes) }
  } catch (thrown) {
    const lenient = leniently(text)
    const call = callWithBadInput(lenient, maxBytes)
    return call === undefined
      ? { trouble: toToolError(thrown).message, id: idIn(lenient) }
      : { value: call }
  }
}

function leniently(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whoever waits for this id is told, though the rest is not taken. */
export function idIn(message: unknown): RpcId {
  const id = isRecord(message) ? message.id : undefined
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

/**
 * A tools/call whose arguments no tool would take (too many keys, too deep, half a character) is JSON all the same:
 * the runtime refuses it in its own words, and records it. What repeats a key is not among them: nobody could tell what was meant.
 */
function callWithBadInput(message: unknown, maxBytes: number): unknown {
  if (!isRecord(message) || message.method !== 'tools/call' || !isRecord(message.params))
    return undefined
  const { arguments: input, ...params } = message.params
  return !isRefused({ ...message, params }, maxBytes) && isRefused(input, maxBytes)
    ? message
    : undefined
}

function isRefused(value: unknown, maxBytes: number): boolean {
  try {
    parseJson(JSON.stringify(value), maxBytes)
    return false
  } catch {
    return true
  }
}

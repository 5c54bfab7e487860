import { type Buffer, isUtf8 } from 'node:buffer'
import {
  decodeInTurns,
  guardInTurns,
  type Pace,
  parseJson,
  parseJsonInTurns,
} from '@surehand/core/host'
import { isRecord, toToolError } from '@surehand/core/internal'
import { freeMemory } from '@surehand/edge'
import type { RpcId } from './answer-stream.ts'

export type ParsedMessage =
  | { readonly value: unknown }
  | { readonly problem: string; readonly id: RpcId }

const NOT_UTF8: ParsedMessage = { problem: 'The message is not UTF-8.', id: null }

/**
 * Parses the bytes of one message strictly: whatever two parsers could read differently is refused.
 */
export function parseMessage(bytes: Buffer, maxBytes: number): ParsedMessage {
  // Invalid bytes would be replaced silently, and the tool would get what the client did not send.
  if (!isUtf8(bytes)) return NOT_UTF8
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

/**
 * Parses a large message a part at a time, as `parseMessage` would at once: other requests are
 * served between the parts. One that is nested too deeply is refused before any of it is parsed.
 * Nobody may read the bytes afterwards.
 */
export async function parseLargeMessage(
  bytes: Buffer,
  maxBytes: number,
  pace: Pace,
): Promise<ParsedMessage> {
  const text = await decodeInTurns(bytes, pace)
  if (text === undefined) return NOT_UTF8
  freeMemory(bytes)
  try {
    const { value, problem } = await parseJsonInTurns(text, maxBytes, pace)
    return problem === undefined || (await isCallWithLargeBadInput(value, maxBytes, pace))
      ? { value }
      : { problem: toToolError(problem).message, id: readMessageId(value) }
  } catch (thrown) {
    return { problem: toToolError(thrown).message, id: null }
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
  const parts = splitCall(message)
  return parts !== undefined &&
    !exceedsLimits(parts.rest, maxBytes) &&
    exceedsLimits(parts.input, maxBytes)
    ? message
    : undefined
}

/** The same for a message that was parsed in parts. */
async function isCallWithLargeBadInput(
  message: unknown,
  maxBytes: number,
  pace: Pace,
): Promise<boolean> {
  const parts = splitCall(message)
  if (parts === undefined) return false
  const isRefused = (value: unknown): Promise<boolean> =>
    guardInTurns(value, maxBytes, pace).then(returnFalse, returnTrue)
  return !(await isRefused(parts.rest)) && (await isRefused(parts.input))
}

/** The arguments of a tools/call, and the message without them. */
function splitCall(
  message: unknown,
): { readonly input: unknown; readonly rest: object } | undefined {
  if (!isRecord(message) || message.method !== 'tools/call' || !isRecord(message.params))
    return undefined
  const { arguments: input, ...params } = message.params
  return { input, rest: { ...message, params } }
}

function exceedsLimits(value: unknown, maxBytes: number): boolean {
  try {
    parseJson(JSON.stringify(value), maxBytes)
    return false
  } catch {
    return true
  }
}

function returnFalse(): boolean {
  return false
}

function returnTrue(): boolean {
  return true
}

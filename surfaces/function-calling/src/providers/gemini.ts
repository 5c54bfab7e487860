import { isRecord, type JsonSchema } from '@surehand/core/internal'
import { idOf } from './openai-chat.ts'
import {
  callsInOtherAnswer,
  firstOf,
  incompleteReason,
  incompleteStream,
  invalidResponse,
  listOf,
  type Members,
  membersOf,
  othersOf,
  textOf,
} from './read-response.ts'
import type { Arguments, Collector, Wire } from './wire.ts'

export type GeminiTools = readonly [
  { readonly functionDeclarations: readonly FunctionDeclaration[] },
]
export type FunctionDeclaration = {
  readonly name: string
  readonly description: string
  readonly parametersJsonSchema: JsonSchema
}
export type FunctionResponsePart = {
  readonly functionResponse: {
    readonly id?: string
    readonly name: string
    readonly response: { readonly output: string } | { readonly error: string }
  }
}
export type FunctionResponseContent = {
  readonly role: 'user'
  readonly parts: readonly FunctionResponsePart[]
}

// A complete response may omit the reason; for a streamed one `collect` requires it.
const COMPLETE_REASONS = ['STOP', undefined]

/** Google's Gemini API. */
export const gemini: Wire<GeminiTools, FunctionResponseContent> = {
  // A function declaration has no strict mode.
  dialects: { strict: 'gemini', plain: 'gemini', preferred: 'plain' },
  describe: (tools) => [
    {
      functionDeclarations: tools.map(({ name, description, schema }) => ({
        name,
        description,
        parametersJsonSchema: schema,
      })),
    },
  ],
  calls(response) {
    const { candidates, responseId, promptFeedback } = membersOf(response)
    const candidate = firstOf(candidates)
    if (candidate === undefined && promptFeedback === undefined)
      throw invalidResponse('generated content', response)
    const calls = callsOf(candidate)
    if (calls.length === 0 && othersOf(candidates).some((other) => callsOf(other).length > 0))
      throw callsInOtherAnswer('generated content')
    const cut =
      incompleteReason(
        membersOf(promptFeedback).blockReason ?? candidate?.finishReason,
        COMPLETE_REASONS,
      ) ?? (calls.some(isPiece) ? IN_PIECES : undefined)
    return calls.map((call, index) => ({
      id: idOf(call.id) ?? deriveId(responseId, index),
      name: textOf(call.name),
      arguments: cut === undefined ? readArguments(call) : { cut },
    }))
  },
  reply: (answers) =>
    answers.length === 0
      ? []
      : [
          {
            role: 'user',
            parts: answers.map(({ call, text, isError }) => ({
              functionResponse: {
                ...(call.id === undefined || isDerivedId(call.id) ? {} : { id: call.id }),
                name: call.name,
                response: isError ? { error: text } : { output: text },
              },
            })),
          },
        ],
  collect,
}

const IN_PIECES =
  'its arguments were streamed in pieces; send the request without streamFunctionCallArguments'

// Only the first piece of a call has the name.
function isPiece({ name }: Members): boolean {
  return name === undefined
}

function callsOf(candidate: Members | undefined): readonly Members[] {
  return listOf(listOf(membersOf(candidate?.content).parts).map(({ functionCall }) => functionCall))
}

// Arguments in pieces (Vertex, only if the host requests them) are paths and values, and their end
// is not documented well enough to know that all have arrived. Without this check they would look
// like a call without arguments.
function readArguments({ args = {}, partialArgs, willContinue }: Members): Arguments {
  return partialArgs !== undefined || willContinue === true ? { cut: IN_PIECES } : { value: args }
}

const DERIVED_PREFIX = 'position:'

/**
 * Older models send calls without ids. The response's id and the position of the call replace it: a
 * response that is delivered twice gets the same key. Without a response id, a repeated delivery
 * cannot be told from a second call: there is no id and no key, every delivery is a new call, and
 * only the duplicate check of irreversible tools applies.
 */
function deriveId(responseId: unknown, index: number): string | undefined {
  return typeof responseId === 'string' && responseId !== ''
    ? `${DERIVED_PREFIX}${responseId}:${index}`
    : undefined
}

// The vendor did not send this id, so it is not sent back.
function isDerivedId(id: string): boolean {
  return id.startsWith(DERIVED_PREFIX)
}

function collect(): Collector {
  const parts: Members[] = []
  let head: Members = {}
  let finish: unknown
  let hasCallsInOtherAnswer = false
  return {
    add(event) {
      if (!isRecord(event)) return
      if (event.error !== undefined) throw invalidResponse('generated content', event)
      const { candidates, ...rest } = event
      head = { ...head, ...rest }
      hasCallsInOtherAnswer ||= othersOf(candidates).some((other) => callsOf(other).length > 0)
      const candidate = firstOf(candidates)
      for (const part of listOf(membersOf(candidate?.content).parts)) appendPart(parts, part)
      finish = candidate?.finishReason ?? finish
    },
    response() {
      // A blocked prompt has no answer. Feedback without a block reason does not say that the
      // answer is complete.
      if (finish === undefined && membersOf(head.promptFeedback).blockReason === undefined)
        throw incompleteStream('generated content')
      if (hasCallsInOtherAnswer && parts.every(({ functionCall }) => functionCall === undefined))
        throw callsInOtherAnswer('generated content')
      return {
        ...head,
        candidates: [{ content: { role: 'model', parts }, finishReason: finish, index: 0 }],
      }
    },
  }
}

// Texts are concatenated; all other parts, signatures above all, must go back to the vendor
// unchanged.
function appendPart(parts: Members[], part: Members): void {
  const last = parts.at(-1)
  const isText = (one: Members | undefined) =>
    one !== undefined && Object.keys(one).join() === 'text'
  if (isText(part) && part.text === '') return
  if (last !== undefined && isPieceOf(last, part)) {
    parts.splice(-1, 1, {
      ...last,
      ...part,
      functionCall: {
        ...membersOf(last.functionCall),
        ...membersOf(part.functionCall),
        willContinue: true,
      },
    })
    return
  }
  if (last !== undefined && isText(last) && isText(part))
    parts.splice(-1, 1, { text: textOf(last.text) + textOf(part.text) })
  else parts.push(part)
}

// The call stays marked as one in pieces, even though its last piece says that it is the last.
function isPieceOf({ functionCall: last }: Members, { functionCall: piece }: Members): boolean {
  return isRecord(last) && isRecord(piece) && isPiece(piece)
}

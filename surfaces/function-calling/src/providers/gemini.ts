import { isRecord, type JsonSchema } from '@surehand/core/internal'
import { idOf } from './openai-chat.ts'
import {
  callsInOtherAnswer,
  incompleteStream,
  firstOf,
  listOf,
  type Members,
  membersOf,
  invalidResponse,
  othersOf,
  textOf,
  incompleteReason,
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

// a whole response may leave it out; of a streamed one `collect` has heard it
const COMPLETE_REASONS = ['STOP', undefined]

/** Google's Gemini. */
export const gemini: Wire<GeminiTools, FunctionResponseContent> = {
  // it has no strict mode that is said in a declaration
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
      incompleteReason(membersOf(promptFeedback).blockReason ?? candidate?.finishReason, COMPLETE_REASONS) ??
      (calls.some(isPiece) ? IN_PIECES : undefined)
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

const IN_PIECES = 'its arguments came in pieces; ask without streamFunctionCallArguments'

// only the first piece of a call has its name
function isPiece({ name }: Members): boolean {
  return name === undefined
}

function callsOf(candidate: Members | undefined): readonly Members[] {
  return listOf(listOf(membersOf(candidate?.content).parts).map(({ functionCall }) => functionCall))
}

// arguments in pieces (Vertex, only where a host asks for them) are paths and values, and how they end is not documented well enough
// to know that all are there: without this they would look like a call without arguments
function readArguments({ args = {}, partialArgs, willContinue }: Members): Arguments {
  return partialArgs !== undefined || willContinue === true ? { cut: IN_PIECES } : { value: args }
}

const DERIVED_PREFIX = 'position:'

/**
 * Older models give calls no ids. The response's own id with the call's place in it is as good: the same response delivered twice makes
 * the same key. Without either there is nothing that tells a repeat from a second wish, so there is no id and no key is made of it:
 * every delivery is a new call, and only the guard against duplicates of irreversible tools stands.
 */
function deriveId(responseId: unknown, index: number): string | undefined {
  return typeof responseId === 'string' && responseId !== ''
    ? `${DERIVED_PREFIX}${responseId}:${index}`
    : undefined
}

// the vendor never gave it, so it isn't told back
function isDerivedId(id: string): boolean {
  return id.startsWith(DERIVED_PREFIX)
}

function collect(): Collector {
  const parts: Members[] = []
  let head: Members = {}
  let finish: unknown
  let hasCallsElsewhere = false
  return {
    add(event) {
      if (!isRecord(event)) return
      if (event.error !== undefined) throw invalidResponse('generated content', event)
      const { candidates, ...rest } = event
      head = { ...head, ...rest }
      hasCallsElsewhere ||= othersOf(candidates).some((other) => callsOf(other).length > 0)
      const candidate = firstOf(candidates)
      for (const part of listOf(membersOf(candidate?.content).parts)) appendPart(parts, part)
      finish = candidate?.finishReason ?? finish
    },
    response() {
      // a prompt that was blocked has no answer; feedback on one that wasn't says nothing about the end of the answer
      if (finish === undefined && membersOf(head.promptFeedback).blockReason === undefined)
        throw incompleteStream('generated content')
      if (hasCallsElsewhere && parts.every(({ functionCall }) => functionCall === undefined))
        throw callsInOtherAnswer('generated content')
      return {
        ...head,
        candidates: [{ content: { role: 'model', parts }, finishReason: finish, index: 0 }],
      }
    },
  }
}

// texts grow together; everything else, signatures above all, goes back to the vendor as it came
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

// the call stays marked as one that came in pieces, though the last of them says that it is the last
function isPieceOf({ functionCall: last }: Members, { functionCall: piece }: Members): boolean {
  return isRecord(last) && isRecord(piece) && isPiece(piece)
}

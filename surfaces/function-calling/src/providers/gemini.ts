import type { JsonSchema } from '@surehand/core'
import { idOf } from './openai-chat.ts'
import { cutOff, isMembers, listOf, type Members, membersOf, notAResponse, textOf } from './reading.ts'
import type { Collector, Wire } from './wire.ts'

export type GeminiTools = readonly [{ readonly functionDeclarations: readonly FunctionDeclaration[] }]
export type FunctionDeclaration = { readonly name: string; readonly description: string; readonly parametersJsonSchema: JsonSchema }
export type FunctionResponsePart = {
  readonly functionResponse: {
    readonly id?: string
    readonly name: string
    readonly response: { readonly output: string } | { readonly error: string }
  }
}
export type FunctionResponseContent = { readonly role: 'user'; readonly parts: readonly FunctionResponsePart[] }

/** Google's Gemini. */
export const gemini: Wire<GeminiTools, FunctionResponseContent> = {
  // it has no strict mode that is said in a declaration
  dialects: { strict: 'gemini', plain: 'gemini', preferred: 'plain' },
  describe: (tools) => [
    { functionDeclarations: tools.map(({ name, description, schema }) => ({ name, description, parametersJsonSchema: schema })) },
  ],
  calls(response) {
    const { candidates, responseId, promptFeedback } = membersOf(response)
    const [candidate] = listOf(candidates)
    if (candidate === undefined && promptFeedback === undefined) throw notAResponse('generated content', response)
    const parts = listOf(membersOf(candidate?.content).parts).map(({ functionCall }) => functionCall)
    return parts.filter(isMembers).map(({ id, name, args }, index) => ({
      id: idOf(id) ?? madeId(responseId, index),
      name: textOf(name),
      arguments: { value: args ?? {} },
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
                ...(call.id === undefined || isMadeId(call.id) ? {} : { id: call.id }),
                name: call.name,
                response: isError ? { error: text } : { output: text },
              },
            })),
          },
        ],
  collect,
}

const MADE = 'position:'

/**
 * Older models give calls no ids. The response's own id with the call's place in it is as good: the same response delivered twice makes
 * the same key. Without either there is nothing that tells a repeat from a second wish, so there is no id and no key is made of it:
 * every delivery is a new call, and only the guard against duplicates of irreversible tools stands.
 */
function madeId(responseId: unknown, index: number): string | undefined {
  return typeof responseId === 'string' && responseId !== '' ? `${MADE}${responseId}:${index}` : undefined
}

// the vendor never gave it, so it isn't told back
function isMadeId(id: string): boolean {
  return id.startsWith(MADE)
}

function collect(): Collector {
  const parts: Members[] = []
  let head: Members = {}
  let finish: unknown
  return {
    add(event) {
      if (!isMembers(event)) return
      if (event.error !== undefined) throw notAResponse('generated content', event)
      const { candidates, ...rest } = event
      head = { ...head, ...rest }
      const [candidate] = listOf(candidates)
      for (const part of listOf(membersOf(candidate?.content).parts)) join(parts, part)
      finish = candidate?.finishReason ?? finish
    },
    response() {
      if (finish === undefined && head.promptFeedback === undefined) throw cutOff('generated content')
      return { ...head, candidates: [{ content: { role: 'model', parts }, finishReason: finish, index: 0 }] }
    },
  }
}

// texts grow together; everything else, signatures above all, goes back to the vendor as it came
function join(parts: Members[], part: Members): void {
  const last = parts.at(-1)
  const isText = (one: Members | undefined) => one !== undefined && Object.keys(one).join() === 'text'
  if (isText(part) && part.text === '') return
  if (last !== undefined && isText(last) && isText(part)) parts.splice(-1, 1, { text: textOf(last.text) + textOf(part.text) })
  else parts.push(part)
}

import { isRecord, type JsonSchema } from '@surehand/core/internal'
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
import type { Collector, Wire } from './wire.ts'

export type ChatTool = {
  readonly type: 'function'
  readonly function: {
    readonly name: string
    readonly description: string
    readonly parameters: JsonSchema
    readonly strict: boolean
  }
}
export type ChatToolMessage = {
  readonly role: 'tool'
  readonly tool_call_id: string
  readonly content: string
}

// Compatible APIs may omit the reason in a complete response; for a streamed one `collect` requires
// it.
const COMPLETE_REASONS = ['tool_calls', 'stop', 'function_call', null, undefined]

/** OpenAI's Chat Completions API, and compatible APIs. */
export const openaiChat: Wire<readonly ChatTool[], ChatToolMessage> = {
  dialects: { strict: 'openai-strict', plain: 'openai', preferred: 'strict' },
  describe: (tools) =>
    tools.map(({ name, description, schema, isStrict }) => ({
      type: 'function',
      function: { name, description, parameters: schema, strict: isStrict },
    })),
  calls(response) {
    const { choices } = membersOf(response)
    const choice = firstOf(choices)
    if (choice === undefined || !isRecord(choice.message))
      throw invalidResponse('chat completion', response)
    const calls = listOf(choice.message.tool_calls)
    if (
      calls.length === 0 &&
      othersOf(choices).some(({ message }) => listOf(membersOf(message).tool_calls).length > 0)
    )
      throw callsInOtherAnswer('chat completion')
    const cut = incompleteReason(choice.finish_reason, COMPLETE_REASONS)
    return calls
      .filter(({ type }) => type === 'function' || type === undefined)
      .map(({ id, function: given }) => {
        const { name, arguments: text } = membersOf(given)
        return {
          id: idOf(id),
          name: textOf(name),
          arguments: cut === undefined ? { text: textOf(text) } : { cut },
        }
      })
  },
  reply: (answers) =>
    answers.map(({ call, text }) => ({ role: 'tool', tool_call_id: call.id ?? '', content: text })),
  collect,
}

export function idOf(id: unknown): string | undefined {
  return typeof id === 'string' && id !== '' ? id : undefined
}

type PartialCall = { id: unknown; type: unknown; name: string; text: string }

function collect(): Collector {
  const calls = new Map<number, PartialCall>()
  let head: Members = {}
  let text: string | null = null
  let finish: unknown
  let usage: unknown
  let hasCallsInOtherAnswer = false
  return {
    add(event) {
      if (!isRecord(event)) return
      if (event.error !== undefined) throw invalidResponse('chat completion', event)
      const { choices, usage: reportedUsage, ...rest } = event
      head = { ...head, ...rest }
      usage = reportedUsage ?? usage
      hasCallsInOtherAnswer ||= othersOf(choices).some(
        ({ delta }) => listOf(membersOf(delta).tool_calls).length > 0,
      )
      const choice = firstOf(choices)
      if (choice === undefined) return
      const delta = membersOf(choice.delta)
      if (typeof delta.content === 'string') text = (text ?? '') + delta.content
      for (const part of listOf(delta.tool_calls)) appendFragment(calls, part)
      finish = choice.finish_reason ?? finish
    },
    response() {
      if (finish === undefined || finish === null) throw incompleteStream('chat completion')
      if (calls.size === 0 && hasCallsInOtherAnswer) throw callsInOtherAnswer('chat completion')
      const complete = [...calls]
        .toSorted(([one], [other]) => one - other)
        .map(([, call]) => finishMessage(call))
      const message = {
        role: 'assistant',
        content: text,
        ...(complete.length > 0 ? { tool_calls: complete } : {}),
      }
      const choice = { index: 0, message, finish_reason: finish }
      return {
        ...head,
        object: 'chat.completion',
        choices: [choice],
        ...(usage === undefined ? {} : { usage }),
      }
    },
  }
}

// Fragments are concatenated and not parsed one by one: they may be split inside an escape sequence
// or a character.
function appendFragment(calls: Map<number, PartialCall>, part: Members): void {
  const index = typeof part.index === 'number' ? part.index : calls.size
  const known = calls.get(index) ?? { id: undefined, type: undefined, name: '', text: '' }
  const { name, arguments: fragment } = membersOf(part.function)
  calls.set(index, {
    id: known.id ?? part.id,
    type: known.type ?? part.type,
    name: known.name + textOf(name),
    text: known.text + textOf(fragment),
  })
}

function finishMessage({ id, type, name, text }: PartialCall): Members {
  return { id, type: type ?? 'function', function: { name, arguments: text } }
}

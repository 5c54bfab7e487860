import { z } from 'zod'
import type { EmulatorReply } from '../route.ts'
import {
  type Conversation,
  estimateTokens,
  type RequestedCall,
  type ScriptedReply,
  type Turn,
} from './conversation.ts'
import {
  emulatedName,
  eventStream,
  jsonReply,
  newId,
  type StreamEvent,
  VendorError,
} from './emulated.ts'
import { splitIntoFragments, writeArguments } from './fragments.ts'
import { checkOpenaiTools } from './openai-tools.ts'
import { readText } from './read-text.ts'

const ToolCall = z.looseObject({
  id: z.string(),
  type: z.literal('function'),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
})
const Message = z.discriminatedUnion('role', [
  z.looseObject({ role: z.enum(['system', 'developer']), content: z.unknown() }),
  z.looseObject({ role: z.literal('user'), content: z.unknown() }),
  z.looseObject({
    role: z.literal('assistant'),
    content: z.unknown().optional(),
    tool_calls: z.array(ToolCall).optional(),
  }),
  z.looseObject({ role: z.literal('tool'), content: z.unknown(), tool_call_id: z.string() }),
])
const ToolForm = z.looseObject({
  type: z.literal('function'),
  function: z.looseObject({
    name: z.string(),
    description: z.string().optional(),
    parameters: z.unknown().optional(),
    strict: z.boolean().nullish(),
  }),
})

export const ChatRequest = z.looseObject({
  model: z.string(),
  messages: z.array(Message).min(1),
  tools: z.array(ToolForm).optional(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
})
type ChatRequest = z.infer<typeof ChatRequest>

export function readChat(request: ChatRequest): Conversation {
  const tools = (request.tools ?? []).map(
    ({ function: { name, description = '', parameters, strict } }) => {
      return { name, description, schema: parameters, isStrict: strict === true }
    },
  )
  checkOpenaiTools(tools)
  const system = request.messages.flatMap((message) =>
    message.role === 'system' || message.role === 'developer' ? [readText(message.content)] : [],
  )
  return {
    vendor: 'openai-chat',
    model: request.model,
    system: system.join('\n'),
    turns: readTurns(request.messages),
    tools,
    isStreamed: request.stream === true,
    body: request,
  }
}

function readTurns(messages: ChatRequest['messages']): readonly Turn[] {
  const turns: Turn[] = []
  let open = new Map<string, RequestedCall>()
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'tool') refuseUnanswered(open, index)
    if (message.role === 'user') turns.push({ role: 'user', text: readText(message.content) })
    if (message.role === 'assistant') {
      const calls = (message.tool_calls ?? []).map((call) => ({
        id: call.id,
        name: call.function.name,
        arguments: tryToParseJson(call.function.arguments),
      }))
      open = new Map(calls.map((call) => [call.id, call]))
      turns.push({ role: 'assistant', text: readText(message.content), calls })
    }
    if (message.role === 'tool') {
      const call = open.get(message.tool_call_id)
      if (call === undefined) {
        const message =
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
        throw new VendorError(400, message, { param: `messages.[${index}].role` })
      }
      open.delete(call.id)
      const result = {
        id: call.id,
        name: call.name,
        text: readText(message.content),
        isError: false,
      }
      const last = turns.at(-1)
      if (last?.role === 'tool')
        turns.splice(-1, 1, { role: 'tool', results: [...last.results, result] })
      else turns.push({ role: 'tool', results: [result] })
    }
  }
  refuseUnanswered(open, messages.length)
  return turns
}

function refuseUnanswered(open: ReadonlyMap<string, RequestedCall>, index: number): void {
  if (open.size === 0) return
  const ids = [...open.keys()].join(', ')
  const message =
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
    `The following tool_call_ids did not have response messages: ${ids}`
  throw new VendorError(400, message, { param: `messages.[${index}].role` })
}

function tryToParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export function replyChat(conversation: Conversation, scripted: ScriptedReply): EmulatorReply {
  const calls = (scripted.calls ?? []).map((call) => ({
    id: call.id ?? newId('call_'),
    type: 'function',
    function: { name: call.name, arguments: writeArguments(call.arguments) },
  }))
  const base = {
    id: newId('chatcmpl-'),
    created: Math.floor(Date.now() / 1000),
    model: emulatedName(conversation.model),
  }
  const usage = usageOf(conversation, scripted)
  const finish = calls.length > 0 ? 'tool_calls' : 'stop'
  if (conversation.isStreamed)
    return eventStream([
      ...chunks({ base, calls, finish, usage, scripted, conversation }),
      { data: '[DONE]' },
    ])
  const message = {
    role: 'assistant',
    content: scripted.text ?? null,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    refusal: null,
    annotations: [],
  }
  const choice = { index: 0, message, logprobs: null, finish_reason: finish }
  return jsonReply({
    ...base,
    object: 'chat.completion',
    choices: [choice],
    usage,
    service_tier: 'default',
    system_fingerprint: null,
  })
}

type Streamed = {
  readonly base: object
  readonly calls: readonly {
    readonly id: string
    readonly type: string
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
  readonly finish: string
  readonly usage: object
  readonly scripted: ScriptedReply
  readonly conversation: Conversation
}

function* chunks({
  base,
  calls,
  finish,
  usage,
  scripted,
  conversation,
}: Streamed): Generator<StreamEvent> {
  const { stream_options: options } = conversation.body as ChatRequest
  const head = {
    ...base,
    object: 'chat.completion.chunk',
    service_tier: 'default',
    system_fingerprint: null,
  }
  const chunk = (delta: object, reason: string | null = null) => ({
    data: {
      ...head,
      choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }],
      ...(options?.include_usage ? { usage: null } : {}),
    },
  })
  yield chunk({
    role: 'assistant',
    content: calls.length > 0 && scripted.text === undefined ? null : '',
    refusal: null,
  })
  for (const piece of splitIntoFragments(scripted.text ?? '')) yield chunk({ content: piece })
  for (const [index, call] of calls.entries()) {
    yield chunk({
      tool_calls: [
        {
          index,
          id: call.id,
          type: 'function',
          function: { name: call.function.name, arguments: '' },
        },
      ],
    })
    for (const piece of splitIntoFragments(call.function.arguments))
      yield chunk({ tool_calls: [{ index, function: { arguments: piece } }] })
  }
  yield chunk({}, finish)
  if (options?.include_usage) yield { data: { ...head, choices: [], usage } }
}

function usageOf({ body }: Conversation, scripted: ScriptedReply): object {
  const prompt = estimateTokens(body)
  const completion = estimateTokens(scripted)
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  }
}

import { z } from 'zod'
import type { EmulatorReply } from '../route.ts'
import {
  type Conversation,
  estimateTokens,
  type RequestedCall,
  type ScriptedCall,
  type ScriptedReply,
  type ToolResult,
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
import { readText } from './read-text.ts'
import { ANTHROPIC_STRICT_OPTIONAL, findSchemaProblems } from './schema-rules.ts'

const Block = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({ type: z.literal('image') }),
  z.looseObject({
    type: z.literal('tool_use'),
    id: z.string(),
    name: z.string(),
    input: z.record(z.string(), z.unknown()),
  }),
  z.looseObject({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    content: z.unknown().optional(),
    is_error: z.boolean().optional(),
  }),
])
const Message = z.looseObject({
  role: z.enum(['user', 'assistant']),
  content: z.union([z.string(), z.array(Block)]),
})
const ToolForm = z.looseObject({
  name: z.string(),
  description: z.string().optional(),
  input_schema: z.unknown(),
  strict: z.boolean().optional(),
})

export const MessagesRequest = z.looseObject({
  model: z.string(),
  max_tokens: z.int().positive(),
  messages: z.array(Message).min(1),
  system: z.unknown().optional(),
  tools: z.array(ToolForm).optional(),
  stream: z.boolean().optional(),
})
type MessagesRequest = z.infer<typeof MessagesRequest>
type Block = z.infer<typeof Block>

const NAME = /^[a-zA-Z0-9_-]{1,64}$/
const MAX_STRICT_TOOLS = 20

export function readMessages(request: MessagesRequest): Conversation {
  const tools = (request.tools ?? []).map(
    ({ name, description = '', input_schema: schema, strict }) => {
      return { name, description, schema, isStrict: strict === true }
    },
  )
  checkTools(tools)
  return {
    vendor: 'anthropic',
    model: request.model,
    system: readText(request.system),
    turns: readTurns(request.messages),
    tools,
    isStreamed: request.stream === true,
    body: request,
  }
}

function checkTools(tools: Conversation['tools']): void {
  for (const [index, { name, schema, isStrict }] of tools.entries()) {
    if (!NAME.test(name))
      throw new VendorError(
        400,
        `tools.${index}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'`,
      )
    const [fault] = findSchemaProblems(schema, isStrict ? 'anthropic-strict' : 'anthropic')
    if (fault !== undefined)
      throw new VendorError(400, `tools.${index}.custom.input_schema: ${fault}`)
  }
  const strict = tools.filter(({ isStrict }) => isStrict)
  if (strict.length > MAX_STRICT_TOOLS)
    throw new VendorError(400, `${strict.length} strict tools are more than ${MAX_STRICT_TOOLS}.`)
  const optional = strict
    .map(({ schema }) => countOptional(schema))
    .reduce((sum, count) => sum + count, 0)
  if (optional > ANTHROPIC_STRICT_OPTIONAL)
    throw new VendorError(
      400,
      `Schemas of strict tools have ${optional} optional parameters in all.`,
    )
}

function countOptional(schema: unknown): number {
  if (Array.isArray(schema))
    return schema.reduce<number>((sum, part) => sum + countOptional(part), 0)
  if (typeof schema !== 'object' || schema === null) return 0
  const { properties, required = [] } = schema as {
    readonly properties?: object
    readonly required?: readonly string[]
  }
  const own = Object.keys(properties ?? {}).filter((name) => !required.includes(name)).length
  return Object.values(schema).reduce<number>((sum, part) => sum + countOptional(part), own)
}

function readTurns(messages: MessagesRequest['messages']): readonly Turn[] {
  let open: readonly RequestedCall[] = []
  return messages.flatMap((message, index): readonly Turn[] => {
    const blocks: readonly Block[] =
      typeof message.content === 'string'
        ? [{ type: 'text', text: message.content }]
        : message.content
    const results = resultsIn(blocks, open, index)
    const unanswered = open.filter(({ id }) => !results.some((result) => result.id === id))
    if (unanswered.length > 0) {
      const ids = unanswered.map(({ id }) => id).join(', ')
      throw new VendorError(
        400,
        `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids}.`,
      )
    }
    const text = readText(blocks.filter(({ type }) => type === 'text'))
    if (message.role === 'assistant') {
      open = blocks.flatMap((block) =>
        block.type === 'tool_use'
          ? [{ id: block.id, name: block.name, arguments: block.input }]
          : [],
      )
      return [{ role: 'assistant', text, calls: open }]
    }
    open = []
    return [
      ...(results.length > 0 ? [{ role: 'tool' as const, results }] : []),
      ...(text === '' ? [] : [{ role: 'user' as const, text }]),
    ]
  })
}

function resultsIn(
  blocks: readonly Block[],
  open: readonly RequestedCall[],
  index: number,
): readonly ToolResult[] {
  const firstOther = blocks.findIndex(({ type }) => type !== 'tool_result')
  return blocks.flatMap((block, place) => {
    if (block.type !== 'tool_result') return []
    const call = open.find(({ id }) => id === block.tool_use_id)
    if (call === undefined) {
      const what = `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${block.tool_use_id}`
      throw new VendorError(
        400,
        `messages.${index}.content.${place}: ${what}. Each \`tool_result\` must have a \`tool_use\` in the previous message.`,
      )
    }
    if (firstOther >= 0 && place > firstOther)
      throw new VendorError(400, `messages.${index}: \`tool_result\` blocks must come first.`)
    return [
      {
        id: call.id,
        name: call.name,
        text: readText(block.content),
        isError: block.is_error === true,
      },
    ]
  })
}

type OutBlock =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'tool_use'
      readonly id: string
      readonly name: string
      readonly wanted: ScriptedCall
    }

export function replyMessages(conversation: Conversation, scripted: ScriptedReply): EmulatorReply {
  const calls = (scripted.calls ?? []).map(
    (wanted): OutBlock => ({
      type: 'tool_use',
      id: wanted.id ?? newId('toolu_01', 22),
      name: wanted.name,
      wanted,
    }),
  )
  const blocks: readonly OutBlock[] = [
    ...(scripted.text === undefined ? [] : [{ type: 'text' as const, text: scripted.text }]),
    ...calls,
  ]
  const stop = { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null }
  const usage = {
    input_tokens: estimateTokens(conversation.body),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: estimateTokens(scripted),
  }
  const message = {
    id: newId('msg_01', 22),
    type: 'message',
    role: 'assistant',
    model: emulatedName(conversation.model),
  }
  if (!conversation.isStreamed)
    return jsonReply({ ...message, content: blocks.map(completeBlock), ...stop, usage })
  return eventStream([...nameEvents(events({ message, blocks, stop, usage }))])
}

function completeBlock(block: OutBlock): object {
  if (block.type === 'text') return block
  const { wanted } = block
  // Without streaming the vendor sends a parsed object, so incomplete JSON cannot be sent.
  const input: unknown =
    typeof wanted.arguments === 'string' ? JSON.parse(wanted.arguments) : (wanted.arguments ?? {})
  return { type: 'tool_use', id: block.id, name: block.name, input }
}

type Streamed = {
  readonly message: object
  readonly blocks: readonly OutBlock[]
  readonly stop: object
  readonly usage: { readonly output_tokens: number }
}
type Payload = { readonly type: string; readonly [member: string]: unknown }

function* events({ message, blocks, stop, usage }: Streamed): Generator<Payload> {
  yield {
    type: 'message_start',
    message: {
      ...message,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...usage, output_tokens: 1 },
    },
  }
  yield { type: 'ping' }
  for (const [index, block] of blocks.entries()) {
    const isText = block.type === 'text'
    const begun = isText
      ? { type: 'text', text: '' }
      : { type: 'tool_use', id: block.id, name: block.name, input: {} }
    yield { type: 'content_block_start', index, content_block: begun }
    for (const piece of splitIntoFragments(
      isText ? block.text : writeArguments(block.wanted.arguments),
    )) {
      const delta = isText
        ? { type: 'text_delta', text: piece }
        : { type: 'input_json_delta', partial_json: piece }
      yield { type: 'content_block_delta', index, delta }
    }
    yield { type: 'content_block_stop', index }
  }
  yield { type: 'message_delta', delta: stop, usage: { output_tokens: usage.output_tokens } }
  yield { type: 'message_stop' }
}

function* nameEvents(payloads: Iterable<Payload>): Generator<StreamEvent> {
  for (const payload of payloads) yield { event: payload.type, data: payload }
}

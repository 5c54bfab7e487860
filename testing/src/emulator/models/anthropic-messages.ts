import { z } from 'zod'
import type { EmulatorReply } from '../route.ts'
import {
  type Conversation,
  type MadeCall,
  type Thought,
  type ToolResult,
  type Turn,
  tokensIn,
  type WantedCall,
} from './conversation.ts'
import {
  emulatedName,
  eventStream,
  jsonReply,
  newId,
  type StreamEvent,
  VendorRefusal,
} from './emulated.ts'
import { argumentsText, fragments } from './fragments.ts'
import { ANTHROPIC_STRICT_OPTIONAL, schemaFaults } from './schema-rules.ts'
import { textOf } from './text-of.ts'

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
const MOST_STRICT_TOOLS = 20

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
    system: textOf(request.system),
    turns: readTurns(request.messages),
    tools,
    isStreamed: request.stream === true,
    body: request,
  }
}

function checkTools(tools: Conversation['tools']): void {
  for (const [index, { name, schema, isStrict }] of tools.entries()) {
    if (!NAME.test(name))
      throw new VendorRefusal(
        400,
        `tools.${index}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'`,
      )
    const [fault] = schemaFaults(schema, isStrict ? 'anthropic-strict' : 'anthropic')
    if (fault !== undefined)
      throw new VendorRefusal(400, `tools.${index}.custom.input_schema: ${fault}`)
  }
  const strict = tools.filter(({ isStrict }) => isStrict)
  if (strict.length > MOST_STRICT_TOOLS)
    throw new VendorRefusal(
      400,
      `${strict.length} strict tools are more than ${MOST_STRICT_TOOLS}.`,
    )
  const optional = strict
    .map(({ schema }) => optionalIn(schema))
    .reduce((sum, count) => sum + count, 0)
  if (optional > ANTHROPIC_STRICT_OPTIONAL)
    throw new VendorRefusal(
      400,
      `Schemas of strict tools have ${optional} optional parameters in all.`,
    )
}

function optionalIn(schema: unknown): number {
  if (Array.isArray(schema)) return schema.reduce<number>((sum, part) => sum + optionalIn(part), 0)
  if (typeof schema !== 'object' || schema === null) return 0
  const { properties, required = [] } = schema as {
    readonly properties?: object
    readonly required?: readonly string[]
  }
  const own = Object.keys(properties ?? {}).filter((name) => !required.includes(name)).length
  return Object.values(schema).reduce<number>((sum, part) => sum + optionalIn(part), own)
}

function readTurns(messages: MessagesRequest['messages']): readonly Turn[] {
  let open: readonly MadeCall[] = []
  return messages.flatMap((message, index): readonly Turn[] => {
    const blocks: readonly Block[] =
      typeof message.content === 'string'
        ? [{ type: 'text', text: message.content }]
        : message.content
    const results = resultsIn(blocks, open, index)
    const unanswered = open.filter(({ id }) => !results.some((result) => result.id === id))
    if (unanswered.length > 0) {
      const ids = unanswered.map(({ id }) => id).join(', ')
      throw new VendorRefusal(
        400,
        `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids}.`,
      )
    }
    const text = textOf(blocks.filter(({ type }) => type === 'text'))
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
  open: readonly MadeCall[],
  index: number,
): readonly ToolResult[] {
  const firstOther = blocks.findIndex(({ type }) => type !== 'tool_result')
  return blocks.flatMap((block, place) => {
    if (block.type !== 'tool_result') return []
    const call = open.find(({ id }) => id === block.tool_use_id)
    if (call === undefined) {
      const what = `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${block.tool_use_id}`
      throw new VendorRefusal(
        400,
        `messages.${index}.content.${place}: ${what}. Each \`tool_result\` must have a \`tool_use\` in the previous message.`,
      )
    }
    if (firstOther >= 0 && place > firstOther)
      throw new VendorRefusal(400, `messages.${index}: \`tool_result\` blocks must come first.`)
    return [
      {
        id: call.id,
        name: call.name,
        text: textOf(block.content),
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
      readonly wanted: WantedCall
    }

export function replyMessages(conversation: Conversation, thought: Thought): EmulatorReply {
  const calls = (thought.calls ?? []).map(
    (wanted): OutBlock => ({
      type: 'tool_use',
      id: wanted.id ?? newId('toolu_01', 22),
      name: wanted.name,
      wanted,
    }),
  )
  const blocks: readonly OutBlock[] = [
    ...(thought.text === undefined ? [] : [{ type: 'text' as const, text: thought.text }]),
    ...calls,
  ]
  const stop = { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null }
  const usage = {
    input_tokens: tokensIn(conversation.body),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: tokensIn(thought),
  }
  const message = {
    id: newId('msg_01', 22),
    type: 'message',
    role: 'assistant',
    model: emulatedName(conversation.model),
  }
  if (!conversation.isStreamed)
    return jsonReply({ ...message, content: blocks.map(whole), ...stop, usage })
  return eventStream([...named(events({ message, blocks, stop, usage }))])
}

function whole(block: OutBlock): object {
  if (block.type === 'text') return block
  const { wanted } = block
  // not streamed, the vendor parses for its callers: there is no way to send half an object
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
    for (const piece of fragments(isText ? block.text : argumentsText(block.wanted.arguments))) {
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

function* named(payloads: Iterable<Payload>): Generator<StreamEvent> {
  for (const payload of payloads) yield { event: payload.type, data: payload }
}

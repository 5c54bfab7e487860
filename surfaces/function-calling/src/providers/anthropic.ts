import { isToolError } from '@surehand/core'
import { parseJson } from '@surehand/core/host'
import { isRecord, type JsonSchema } from '@surehand/core/internal'
import { idOf } from './openai-chat.ts'
import {
  incompleteReason,
  incompleteStream,
  invalidResponse,
  listOf,
  type Members,
  membersOf,
  textOf,
} from './read-response.ts'
import type { Arguments, Collector, OfferedTool, RequestedCall, Wire } from './wire.ts'

export type AnthropicTool = {
  readonly name: string
  readonly description: string
  readonly input_schema: JsonSchema
  readonly strict?: true
  readonly input_examples?: readonly unknown[]
  readonly cache_control?: Readonly<Record<string, unknown>>
}
export type ToolResultBlock = {
  readonly type: 'tool_result'
  readonly tool_use_id: string
  readonly content: string
  readonly is_error?: true
}
export type ToolResultMessage = {
  readonly role: 'user'
  readonly content: readonly ToolResultBlock[]
}

// Anthropic sends parsed input, so that `collect` stores streamed text that is not a JSON object
// under this name. It is part of the input because a response may be stored and read again before
// it is handled, and the vendor accepts no field beside the input.
const UNPARSED = 'surehand.unparsed'

const COMPLETE_REASONS = ['tool_use', 'end_turn', 'stop_sequence']

/** Anthropic's Messages API. */
export const anthropic: Wire<readonly AnthropicTool[], ToolResultMessage> = {
  dialects: { strict: 'anthropic-strict', plain: 'anthropic', preferred: 'plain' },
  describe: (tools, cacheControl) =>
    tools.map((tool, index) =>
      describe(tool, index === tools.length - 1 ? cacheControl : undefined),
    ),
  calls(response) {
    const { content, stop_reason: stop } = membersOf(response)
    if (!Array.isArray(content)) throw invalidResponse('message', response)
    const cut = incompleteReason(stop, COMPLETE_REASONS)
    return listOf(content)
      .filter(({ type }) => type === 'tool_use')
      .map((block) => wantedCall(block, cut))
  },
  // The vendor requires all results of a turn in one message.
  reply: (answers) => (answers.length === 0 ? [] : [{ role: 'user', content: answers.map(block) }]),
  collect,
}

function describe(
  { name, description, schema, isStrict, examples }: OfferedTool,
  cacheControl: Members | undefined,
): AnthropicTool {
  return {
    name,
    description,
    input_schema: schema,
    ...(isStrict ? { strict: true } : {}),
    ...(examples.length > 0 ? { input_examples: examples } : {}),
    ...(cacheControl === undefined ? {} : { cache_control: cacheControl }),
  }
}

// The last block of a response that ran out of tokens may be a partial object that looks complete.
function wantedCall({ id, name, input }: Members, cut: string | undefined): RequestedCall {
  return {
    id: idOf(id),
    name: textOf(name),
    arguments: cut === undefined ? readArguments(input) : { cut },
  }
}

// The runtime reports what is wrong with the text. A text that is valid was not put there by
// `collect` and is refused.
function readArguments(input: unknown): Arguments {
  if (!isRecord(input) || !Object.hasOwn(input, UNPARSED)) return { value: input }
  const text = input[UNPARSED]
  return typeof text === 'string' && parseInput(text) === undefined
    ? { text }
    : { cut: `"${UNPARSED}" is not allowed in an input` }
}

function block({
  call,
  text,
  isError,
}: Parameters<typeof anthropic.reply>[0][number]): ToolResultBlock {
  return {
    type: 'tool_result',
    tool_use_id: call.id ?? '',
    content: text,
    ...(isError ? { is_error: true } : {}),
  }
}

type PartialBlock = { readonly start: Members; readonly text: string; readonly json: string }

function collect(): Collector {
  const blocks = new Map<number, PartialBlock>()
  let message: Members = {}
  let isComplete = false
  return {
    add(event) {
      if (!isRecord(event)) return
      const index = Number(event.index)
      const known = blocks.get(index)
      switch (event.type) {
        case 'error':
          throw invalidResponse('message', event)
        case 'message_start':
          message = membersOf(event.message)
          return
        case 'content_block_start':
          blocks.set(index, { start: membersOf(event.content_block), text: '', json: '' })
          return
        case 'content_block_delta':
          if (known !== undefined) blocks.set(index, appendDelta(known, membersOf(event.delta)))
          return
        case 'message_delta':
          message = {
            ...message,
            ...membersOf(event.delta),
            usage: { ...membersOf(message.usage), ...membersOf(event.usage) },
          }
          return
        case 'message_stop':
          isComplete = true
      }
    },
    response() {
      if (!isComplete) throw incompleteStream('message')
      return {
        ...message,
        content: [...blocks]
          .toSorted(([one], [other]) => one - other)
          .map(([, partial]) => finishMessage(partial)),
      }
    },
  }
}

function appendDelta(known: PartialBlock, delta: Members): PartialBlock {
  switch (delta.type) {
    case 'text_delta':
      return { ...known, text: known.text + textOf(delta.text) }
    case 'input_json_delta':
      return { ...known, json: known.json + textOf(delta.partial_json) }
    case 'thinking_delta':
      return {
        ...known,
        start: { ...known.start, thinking: textOf(known.start.thinking) + textOf(delta.thinking) },
      }
    case 'signature_delta':
      return { ...known, start: { ...known.start, signature: delta.signature } }
    default:
      return known
  }
}

function finishMessage({ start, text, json }: PartialBlock): Members {
  if (start.type === 'text') return { ...start, text: textOf(start.text) + text }
  if (start.type !== 'tool_use' || json === '') return start
  return { ...start, input: parseInput(json) ?? { [UNPARSED]: json } }
}

// Uses the runtime's own parser: a text that it would refuse must not pass as a value. The runtime
// checks the size limit of the tool itself.
function parseInput(text: string): Members | undefined {
  try {
    const value = parseJson(text, Number.MAX_SAFE_INTEGER)
    return isRecord(value) ? value : undefined
  } catch (thrown) {
    if (!isToolError(thrown)) throw thrown
    return undefined
  }
}

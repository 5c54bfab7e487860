import type { JsonSchema } from '@surehand/core'
import { idOf } from './openai-chat.ts'
import { cutOff, isMembers, listOf, type Members, membersOf, notAResponse, textOf } from './reading.ts'
import type { Collector, OfferedTool, WantedCall, Wire } from './wire.ts'

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
export type ToolResultMessage = { readonly role: 'user'; readonly content: readonly ToolResultBlock[] }

// where the vendor parses for its callers, a text that was no JSON is kept under this name by `collect`
const UNPARSED = Symbol('the arguments as they came')

/** Anthropic's Messages. */
export const anthropic: Wire<readonly AnthropicTool[], ToolResultMessage> = {
  dialects: { strict: 'anthropic-strict', plain: 'anthropic', preferred: 'plain' },
  describe: (tools, cacheControl) => tools.map((tool, index) => describe(tool, index === tools.length - 1 ? cacheControl : undefined)),
  calls(response) {
    const { content, stop_reason: stop } = membersOf(response)
    if (!Array.isArray(content)) throw notAResponse('message', response)
    const last = content.at(-1)
    return listOf(content)
      .filter(({ type }) => type === 'tool_use')
      .map((block) => wanted(block, stop === 'max_tokens' && block === last))
  },
  // all results of a turn stand in one message, or the vendor refuses it
  reply: (answers) => (answers.length === 0 ? [] : [{ role: 'user', content: answers.map(block) }]),
  collect,
}

function describe({ name, description, schema, isStrict, examples }: OfferedTool, cacheControl: Members | undefined): AnthropicTool {
  return {
    name,
    description,
    input_schema: schema,
    ...(isStrict ? { strict: true } : {}),
    ...(examples.length > 0 ? { input_examples: examples } : {}),
    ...(cacheControl === undefined ? {} : { cache_control: cacheControl }),
  }
}

// the last block of an answer that ran out of tokens may be half an object that looks whole
function wanted(block: Members, isCut: boolean): WantedCall {
  const unparsed = (block as { readonly [UNPARSED]?: string })[UNPARSED]
  const given = unparsed === undefined ? (isCut ? { text: '{' } : { value: block.input }) : { text: unparsed }
  return { id: idOf(block.id), name: textOf(block.name), arguments: given }
}

function block({ call, text, isError }: Parameters<typeof anthropic.reply>[0][number]): ToolResultBlock {
  return { type: 'tool_result', tool_use_id: call.id ?? '', content: text, ...(isError ? { is_error: true } : {}) }
}

type Growing = { readonly start: Members; readonly text: string; readonly json: string }

function collect(): Collector {
  const blocks = new Map<number, Growing>()
  let message: Members = {}
  let isWhole = false
  return {
    add(event) {
      if (!isMembers(event)) return
      const index = Number(event.index)
      const known = blocks.get(index)
      switch (event.type) {
        case 'error':
          throw notAResponse('message', event)
        case 'message_start':
          message = membersOf(event.message)
          return
        case 'content_block_start':
          blocks.set(index, { start: membersOf(event.content_block), text: '', json: '' })
          return
        case 'content_block_delta':
          if (known !== undefined) blocks.set(index, grown(known, membersOf(event.delta)))
          return
        case 'message_delta':
          message = { ...message, ...membersOf(event.delta), usage: { ...membersOf(message.usage), ...membersOf(event.usage) } }
          return
        case 'message_stop':
          isWhole = true
      }
    },
    response() {
      if (!isWhole) throw cutOff('message')
      return { ...message, content: [...blocks].toSorted(([one], [other]) => one - other).map(([, growing]) => finished(growing)) }
    },
  }
}

function grown(known: Growing, delta: Members): Growing {
  switch (delta.type) {
    case 'text_delta':
      return { ...known, text: known.text + textOf(delta.text) }
    case 'input_json_delta':
      return { ...known, json: known.json + textOf(delta.partial_json) }
    case 'thinking_delta':
      return { ...known, start: { ...known.start, thinking: textOf(known.start.thinking) + textOf(delta.thinking) } }
    case 'signature_delta':
      return { ...known, start: { ...known.start, signature: delta.signature } }
    default:
      return known
  }
}

function finished({ start, text, json }: Growing): Members {
  if (start.type === 'text') return { ...start, text: textOf(start.text) + text }
  if (start.type !== 'tool_use' || json === '') return start
  // the text goes on to the runtime, which alone judges it; the value is what the vendor wants back in the history
  const block = { ...start, input: parsed(json) }
  Object.defineProperty(block, UNPARSED, { value: json, enumerable: false })
  return block
}

function parsed(json: string): unknown {
  try {
    const value: unknown = JSON.parse(json)
    return isMembers(value) ? value : {}
  } catch {
    return {}
  }
}

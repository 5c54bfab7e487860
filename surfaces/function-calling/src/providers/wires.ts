import { type AnthropicTool, anthropic, type ToolResultMessage } from './anthropic.ts'
import { type FunctionResponseContent, type GeminiTools, gemini } from './gemini.ts'
import { type ChatTool, type ChatToolMessage, openaiChat } from './openai-chat.ts'
import { type FunctionCallOutput, openaiResponses, type ResponsesTool } from './openai-responses.ts'
import type { ProviderName, Wire } from './wire.ts'

/** The type of the `tools` of a request, by provider. */
export type ToolsOf = {
  readonly 'openai-chat': readonly ChatTool[]
  readonly 'openai-responses': readonly ResponsesTool[]
  readonly anthropic: readonly AnthropicTool[]
  readonly gemini: GeminiTools
}

/** The type of the messages with the tools' answers, by provider. */
export type MessageOf = {
  readonly 'openai-chat': ChatToolMessage
  readonly 'openai-responses': FunctionCallOutput
  readonly anthropic: ToolResultMessage
  readonly gemini: FunctionResponseContent
}

const WIRES: { readonly [P in ProviderName]: Wire<ToolsOf[P], MessageOf[P]> } = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  anthropic,
  gemini,
}

export function wireOf<P extends ProviderName>(provider: P): Wire<ToolsOf[P], MessageOf[P]> {
  return WIRES[provider]
}

export { collect, serverSentEvents } from './collect.ts'
export { type FunctionCalling, functionCalling } from './function-calling.ts'
export type { ToolLoss } from './offer.ts'
export type { FunctionCallingOptions } from './options.ts'
export type { AnthropicTool, ToolResultMessage } from './providers/anthropic.ts'
export type {
  FunctionDeclaration,
  FunctionResponseContent,
  GeminiTools,
} from './providers/gemini.ts'
export type { ChatTool, ChatToolMessage } from './providers/openai-chat.ts'
export type { FunctionCallOutput, ResponsesTool } from './providers/openai-responses.ts'
export type { ProviderName } from './providers/wire.ts'
export type { MessageOf, ToolsOf } from './providers/wires.ts'
export type { Loss } from './schema/compile-context.ts'
export { type CompiledSchema, compileSchema } from './schema/compile-schema.ts'
export type { DialectName } from './schema/dialect.ts'

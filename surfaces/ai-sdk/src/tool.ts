import type { Caller, Runtime, Tool } from '@surehand/core'
import type { Keyless } from '@surehand/core/internal'
import { type Tool as AiTool, tool as aiTool } from 'ai'
import { describeTool, inputSchemaOf } from './describe.ts'
import { createToolExecution, type ProgressOption } from './execution.ts'
import { modelOutput } from './model-output.ts'
import { type Options, surfaceOf } from './options.ts'
import type { ToolAnswer, ToolProgress } from './reply.ts'

/**
 * Converts one typed tool to a tool of the AI SDK, called as `caller`.
 * @example tools: { shop__refund: tool(runtime, caller, refund, { run: chatId }) }
 */
export function tool<I, O>(
  runtime: Runtime,
  caller: Caller,
  definition: Tool<I, O>,
  options: Options & { readonly progress: 'preliminary' },
): AiTool<Keyless<I>, ToolAnswer<O> | ToolProgress>
export function tool<I, O>(
  runtime: Runtime,
  caller: Caller,
  definition: Tool<I, O>,
  options?: Options & { readonly progress?: undefined },
): AiTool<Keyless<I>, ToolAnswer<O>>
// The overloads give the precise type; the runtime validates the input.
export function tool(
  runtime: Runtime,
  caller: Caller,
  definition: Tool,
  options: Options & ProgressOption = {},
): never {
  return aiTool({
    ...describeTool(definition),
    inputSchema: inputSchemaOf<unknown>(definition),
    toModelOutput: ({ output }: { readonly output: unknown }) => modelOutput(output),
    execute: createToolExecution(definition, surfaceOf(runtime, caller, options), options),
  }) as never
}

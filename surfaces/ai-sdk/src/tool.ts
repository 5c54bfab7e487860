import type { Caller, Runtime, Tool } from '@surehand/core'
import type { Keyless } from '@surehand/core/internal'
import { type Tool as AiTool, tool as aiTool } from 'ai'
import { describe, inputSchemaOf } from './describe.ts'
import { execution, type ProgressOption } from './execution.ts'
import { modelOutput } from './model-output.ts'
import { type Options, surfaceOf } from './options.ts'
import type { ToolAnswer, ToolProgress } from './reply.ts'

/**
 * One of our typed tools as one of the SDK's, for a caller.
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
// erased: which of the two forms it is, the overloads say; what it is called with is validated by the runtime
export function tool(
  runtime: Runtime,
  caller: Caller,
  definition: Tool,
  options: Options & ProgressOption = {},
): never {
  return aiTool({
    ...describe(definition),
    inputSchema: inputSchemaOf<unknown>(definition),
    toModelOutput: ({ output }: { readonly output: unknown }) => modelOutput(output),
    execute: execution(definition, surfaceOf(runtime, caller, options), options),
  }) as never
}

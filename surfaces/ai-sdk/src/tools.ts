import type { Caller, Runtime, Tool } from '@surehand/core'
import { ANSWER_TOOL, RESULT_TOOL, resultTool, toolsForModel, wireName } from '@surehand/core/host'
import type { Keyless } from '@surehand/core/internal'
import { type Tool as AiTool, tool as aiTool, dynamicTool, type ToolSet } from 'ai'
import { compactTools } from './compact.ts'
import { describeTool, inputSchemaOf } from './describe.ts'
import { createToolExecution, type ProgressOption } from './execution.ts'
import { modelOutput } from './model-output.ts'
import { type Options, type Surface, surfaceOf } from './options.ts'
import type { ToolAnswer, ToolProgress } from './reply.ts'
import { SEARCH, searchTool } from './search-tool.ts'

export type ToolsOptions = Options &
  ProgressOption & {
    /** `compact`: tools that search, describe and call all others, and one that fetches answers. */
    readonly mode?: 'plain' | 'compact'
    /**
     * Above this number of tools the model searches for tools and sees only the results. Default:
     * 40.
     */
    readonly deferOver?: number
  }

const DEFER_OVER = 40

/** The tools that a caller may use, as dynamic tools of the AI SDK by wire name. */
export async function tools(
  runtime: Runtime,
  caller: Caller,
  options: ToolsOptions = {},
): Promise<ToolSet> {
  const surface = surfaceOf(runtime, caller, options)
  if (options.mode === 'compact')
    return {
      ...(await compactTools(surface, options)),
      [RESULT]: toDynamicTool(resultTool(), surface, options),
    }
  const visible = await toolsForModel(runtime, caller)
  const isDeferred = visible.length > (options.deferOver ?? DEFER_OVER)
  const set = Object.fromEntries(
    visible.map((definition) => [
      wireName(definition.id),
      toDynamicTool(definition, surface, options),
    ]),
  )
  if (!isDeferred) return set
  // The tools that answer questions and fetch answers are never deferred: a model that is told to
  // use them must not have to search for them.
  const deferred = Object.entries(set).map(([name, described]) => [
    name,
    NEVER_DEFERRED.has(name) ? described : { ...described, deferLoading: true },
  ])
  return { ...Object.fromEntries(deferred), [SEARCH]: await searchTool(surface) }
}

const RESULT = wireName(RESULT_TOOL)
const NEVER_DEFERRED: ReadonlySet<string> = new Set([wireName(ANSWER_TOOL), RESULT])

function toDynamicTool(
  definition: Tool,
  surface: Surface,
  options: ProgressOption,
): ToolSet[string] {
  return dynamicTool({
    ...describeTool(definition),
    inputSchema: inputSchemaOf<unknown>(definition),
    toModelOutput: ({ output }) => modelOutput(output),
    execute: createToolExecution(definition, surface, options),
  })
}

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

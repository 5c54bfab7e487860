import type { Caller, Runtime, Tool } from '@surehand/core'
import { ANSWER_TOOL, wireName } from '@surehand/core/host'
import { dynamicTool, type ToolSet } from 'ai'
import { compactTools } from './compact.ts'
import { describe, inputSchemaOf } from './describe.ts'
import { execution, type ProgressOption } from './execution.ts'
import { modelOutput } from './model-output.ts'
import { type Options, type Surface, surfaceOf } from './options.ts'
import { SEARCH, searchTool } from './search-tool.ts'

export type ToolsOptions = Options &
  ProgressOption & {
    /** `compact`: three tools that search, describe and call all others. */
    readonly mode?: 'plain' | 'compact'
    /** With more tools than this a model finds them by searching, and is shown those it found. */
    readonly deferOver?: number
  }

const DEFER_OVER = 40

/** What a caller may use, as the SDK's tools, by their wire names. Their types are known at run time only. */
export async function tools(
  runtime: Runtime,
  caller: Caller,
  options: ToolsOptions = {},
): Promise<ToolSet> {
  const surface = surfaceOf(runtime, caller, options)
  if (options.mode === 'compact') return compactTools(surface, options)
  const visible = await runtime.visibleTools(caller)
  const isDeferred = visible.length > (options.deferOver ?? DEFER_OVER)
  const set = Object.fromEntries(
    visible.map((tool) => [wireName(tool.id), setTool(tool, surface, options)]),
  )
  if (!isDeferred) return set
  // whoever is asked something must not have to search for how to answer
  const deferred = Object.entries(set).map(([name, tool]) => [
    name,
    name === ANSWER ? tool : { ...tool, deferLoading: true },
  ])
  return { ...Object.fromEntries(deferred), [SEARCH]: await searchTool(surface) }
}

const ANSWER = wireName(ANSWER_TOOL)

function setTool(tool: Tool, surface: Surface, options: ProgressOption): ToolSet[string] {
  return dynamicTool({
    ...describe(tool),
    inputSchema: inputSchemaOf<unknown>(tool),
    toModelOutput: ({ output }) => modelOutput(output),
    execute: execution(tool, surface, options),
  })
}

import { toolSummary, wireName } from '@surehand/core/host'
import { toToolError } from '@surehand/core/internal'
import { type ToolSet, toolSearch } from 'ai'
import type { Surface } from './options.ts'

export const SEARCH = wireName('tools.search')

/**
 * The SDK's tool search over deferred tools, using the runtime's search index, or the SDK's own
 * matching if the runtime has no index.
 */
export async function searchTool(surface: Surface): Promise<ToolSet[string]> {
  if (!(await canSearch(surface))) return toolSearch()
  return toolSearch({
    search: async ({ query }) => (await findTools(query, surface)).map(({ name }) => name),
  })
}

export type FoundTool = { readonly name: string; readonly description: string }

/** Finds tools that the caller may use, best match first. */
export async function findTools(
  query: string,
  { runtime, caller }: Surface,
): Promise<readonly FoundTool[]> {
  await runtime.ready(caller.tenant, query)
  return runtime
    .searchTools(caller, query)
    .map(({ tool }) => ({ name: wireName(tool.id), description: toolSummary(tool) }))
}

async function canSearch(surface: Surface): Promise<boolean> {
  try {
    await findTools('tool', surface)
    return true
  } catch (thrown) {
    if (toToolError(thrown).code === 'TOOL_CONFIGURATION_ERROR') return false
    throw thrown
  }
}

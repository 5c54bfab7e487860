import { wireName } from '@surehand/core/host'
import { toToolError } from '@surehand/core/internal'
import { type ToolSet, toolSearch } from 'ai'
import type { Surface } from './options.ts'

export const SEARCH = wireName('tools.search')

/** The SDK's search over deferred tools, by our discovery; by the SDK's own words where the runtime has no index. */
export async function searchTool(surface: Surface): Promise<ToolSet[string]> {
  if (!(await canSearch(surface))) return toolSearch()
  return toolSearch({ search: async ({ query }) => [...(await foundNames(query, surface))] })
}

/** The wire names of what a caller may use, best first. */
async function foundNames(query: string, surface: Surface): Promise<readonly string[]> {
  return (await foundTools(query, surface)).map(({ name }) => name)
}

export type Found = { readonly name: string; readonly description: string }

export async function foundTools(
  query: string,
  { runtime, caller }: Surface,
): Promise<readonly Found[]> {
  await runtime.ready(caller.tenant)
  return runtime
    .searchTools(caller, query)
    .map(({ tool }) => ({ name: wireName(tool.id), description: tool.description }))
}

async function canSearch(surface: Surface): Promise<boolean> {
  try {
    await foundTools('tool', surface)
    return true
  } catch (thrown) {
    if (toToolError(thrown).code === 'TOOL_CONFIGURATION_ERROR') return false
    throw thrown
  }
}

import { type Runtime, ToolError } from '@surehand/core'
import { describe, wantsKey } from '@surehand/core/host'
import { discoverTools, type SearchOptions, type ToolDefinition } from '@surehand/documents'
import { z } from 'zod'
import { callTool } from '../call-tool.ts'
import { parseQuery } from '../parse-request.ts'
import type { Route } from '../route.ts'

const ListQuery = z.strictObject({ category: z.string().exactOptional() })
const SearchQuery = z.strictObject({
  q: z.string().min(1).max(400),
  category: z.string().exactOptional(),
  limit: z.coerce.number().int().min(1).max(50).default(20),
})

/** Listing, searching and calling tools. */
export const toolRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/tools',
    command: 'tools.list',
    summary: 'Lists the tools that you may use.',
    handle(context, caller, { runtime }) {
      const { category } = parseQuery(context, ListQuery)
      const tools = discoverTools(runtime, caller).listTools()
      const chosen =
        category === undefined ? tools : tools.filter((tool) => tool.category === category)
      return { tools: chosen.map((tool) => withContract(tool, caller.tenant, runtime)) }
    },
  },
  {
    method: 'GET',
    path: '/v1/tools/:id',
    command: 'tools.get',
    summary: 'Returns the definition of one tool.',
    handle(context, caller, { runtime }) {
      const id = context.req.param('id') ?? ''
      const tool = discoverTools(runtime, caller).getTool(id)
      if (tool === null)
        throw new ToolError(
          'TOOL_NOT_FOUND',
          `There is no tool "${id}", or you may not use it. GET /v1/tools lists the tools that you may use.`,
        )
      return withContract(tool, caller.tenant, runtime)
    },
  },
  {
    method: 'GET',
    path: '/v1/search',
    command: 'tools.search',
    summary: 'Searches tools by name and description.',
    handle(context, caller, { runtime }) {
      const { q, category, limit } = parseQuery(context, SearchQuery)
      // The cast is safe: an unknown category finds nothing.
      const options = (
        category === undefined ? {} : { category_filter: [category] }
      ) as SearchOptions
      const results = discoverTools(runtime, caller).searchTools(q, options).slice(0, limit)
      return {
        results: results.map((result) => ({
          ...result,
          tool: withContract(result.tool, caller.tenant, runtime),
        })),
      }
    },
  },
  {
    method: 'POST',
    path: '/v1/tools/:id/call',
    command: 'tools.call',
    summary: 'Calls a tool. The body is its input.',
    handle: (context, caller, surface) => callTool(context, caller, surface),
  },
]

/**
 * The definition, with the parts of the contract that clients need and that definitions (document
 * 004) have no field for.
 */
function withContract(definition: ToolDefinition, tenant: string, runtime: Runtime): object {
  const tool = runtime.tools(tenant).find(({ id }) => id === definition.id)
  if (tool === undefined) return definition
  const { effect, reversible, approval, sensitive, from_caller } = describe(tool)
  return {
    ...definition,
    surehand: { effect, reversible, approval, sensitive, from_caller, wants_key: wantsKey(tool) },
  }
}

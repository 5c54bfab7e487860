import { type Runtime, ToolError } from '@surehand/core'
import { describe, wantsKey } from '@surehand/core/host'
import type { SearchOptions, ToolDefinition } from '@surehand/core/internal'
import { z } from 'zod'
import { callTool } from '../call-tool.ts'
import { queryOf } from '../query.ts'
import type { Route } from '../route.ts'

const ListQuery = z.strictObject({ category: z.string().exactOptional() })
const SearchQuery = z.strictObject({
  q: z.string().min(1).max(400),
  category: z.string().exactOptional(),
  limit: z.coerce.number().int().min(1).max(50).default(20),
})

/** Tools: what there is, for this caller, and calling it. */
export const toolRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/tools',
    command: 'tools.list',
    summary: 'The tools this caller may use.',
    answer(context, caller, { runtime }) {
      const { category } = queryOf(context, ListQuery)
      const tools = runtime.discovery(caller).listTools()
      const chosen =
        category === undefined ? tools : tools.filter((tool) => tool.category === category)
      return { tools: chosen.map((tool) => withContract(tool, caller.tenant, runtime)) }
    },
  },
  {
    method: 'GET',
    path: '/v1/tools/:id',
    command: 'tools.get',
    summary: "One tool's definition.",
    answer(context, caller, { runtime }) {
      const id = context.req.param('id') ?? ''
      const tool = runtime.discovery(caller).getTool(id)
      if (tool === null) throw new ToolError('TOOL_NOT_FOUND', `There is no tool "${id}" for you.`)
      return withContract(tool, caller.tenant, runtime)
    },
  },
  {
    method: 'GET',
    path: '/v1/search',
    command: 'tools.search',
    summary: 'Tools by what they are called and what they do.',
    answer(context, caller, { runtime }) {
      const { q, category, limit } = queryOf(context, SearchQuery)
      // erased: a category nobody has finds nothing
      const options = (
        category === undefined ? {} : { category_filter: [category] }
      ) as SearchOptions
      const results = runtime.discovery(caller).searchTools(q, options).slice(0, limit)
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
    summary: 'Calls a tool; the body is its input.',
    answer: (context, caller, surface) => callTool(context, caller, surface),
  },
]

/** The definition, with what of the contract a client must know to call it and document 004 has no field for. */
function withContract(definition: ToolDefinition, tenant: string, runtime: Runtime): object {
  const tool = runtime.tools(tenant).find(({ id }) => id === definition.id)
  if (tool === undefined) return definition
  const { effect, reversible, approval, sensitive, from_caller } = describe(tool)
  return {
    ...definition,
    surehand: { effect, reversible, approval, sensitive, from_caller, wants_key: wantsKey(tool) },
  }
}

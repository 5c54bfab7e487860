import { type Caller, type Runtime, type Tool, ToolError } from '@surehand/core'
import { describe, wantsKey } from '@surehand/core/host'
import { type Page, type PageRequest, toPage } from '@surehand/core/ports'
import { discoverTools, type SearchOptions, type ToolDefinition } from '@surehand/documents'
import { SearchResultSchema, ToolSchema } from '@surehand/edge/api'
import { z } from 'zod'
import { callTool } from '../call-tool.ts'
import { PAGE_FIELDS, pageReturned, pageView, readPage } from '../paging.ts'
import { parseQuery } from '../parse-request.ts'
import type { Documented, Route } from '../route.ts'

const ListQuery = z.strictObject({ category: z.string().exactOptional(), ...PAGE_FIELDS })
const SearchQuery = z.strictObject({
  q: z.string().min(1).max(400).describe('Words, or what the tool is to do.'),
  category: z.string().exactOptional(),
  ...PAGE_FIELDS,
  limit: PAGE_FIELDS.limit.default(20),
})

const tool: Documented = {
  schema: () => ToolSchema,
  example: {
    id: 'shop.buy',
    name: 'Buy a product',
    category: 'integration',
    version: '1.0.0',
    description: 'Buys a product of the shop. A person approves it first.',
    function_signature: {
      input: {
        schema: {
          type: 'object',
          properties: { productId: { type: 'string' }, quantity: { type: 'integer' } },
          required: ['productId'],
        },
        examples: [
          {
            name: 'tea',
            description: 'tea',
            input: { productId: 'tea', quantity: 2 },
            expected_output_type: 'success',
          },
        ],
        required_fields: ['productId'],
      },
      output: { success_schema: { type: 'object' }, error_schemas: {} },
      side_effects: [{ type: 'write', description: 'writes.order', reversible: false }],
    },
    permissions: { required_roles: [], required_capabilities: [], resource_access: [] },
    validation: {
      input_validation: 'strict',
      output_validation: 'strict',
      permission_check: 'required',
    },
    surehand: {
      effect: 'writes.order',
      reversible: false,
      approval: 'consent',
      sensitive: [],
      from_caller: {},
      wants_key: true,
    },
  },
}

/** Listing, searching and calling tools. */
export const toolRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/tools',
    command: 'tools.list',
    summary: 'Lists the tools that you may use, by their ids.',
    query: ListQuery,
    returns: pageReturned(tool),
    handle(context, caller, { runtime }) {
      const { category, ...query } = parseQuery(context, ListQuery)
      const wanted = { category, ...readPage('tools.list', query) }
      return pageView('tools.list', listTools(runtime, caller, wanted), (definition) =>
        withContract(definition, caller.tenant, runtime),
      )
    },
  },
  {
    method: 'GET',
    path: '/v1/tools/:id',
    command: 'tools.get',
    summary: 'Returns the definition of one tool.',
    returns: tool,
    handle(context, caller, { runtime }) {
      const id = context.req.param('id') ?? ''
      const found = discoverTools(runtime, caller).getTool(id)
      if (found === null)
        throw new ToolError(
          'TOOL_NOT_FOUND',
          `There is no tool "${id}", or you may not use it. GET /v1/tools lists the tools that you may use.`,
        )
      return withContract(found, caller.tenant, runtime)
    },
  },
  {
    method: 'GET',
    path: '/v1/search',
    command: 'tools.search',
    summary: 'Searches tools by name and description, the best match first.',
    query: SearchQuery,
    returns: pageReturned({
      schema: () => SearchResultSchema,
      example: { tool: tool.example, score: 12.5, matched: 'name' },
    }),
    handle(context, caller, { runtime }) {
      const { q, category, ...query } = parseQuery(context, SearchQuery)
      // The cast is safe: an unknown category finds nothing.
      const options = (
        category === undefined ? {} : { category_filter: [category] }
      ) as SearchOptions
      const { limit, after = '0' } = readPage('tools.search', query)
      const from = Number(after)
      const found = discoverTools(runtime, caller).searchTools(q, options).slice(from)
      return pageView(
        'tools.search',
        toPage(found, limit, () => String(from + limit)),
        (result) => ({ ...result, tool: withContract(result.tool, caller.tenant, runtime) }),
      )
    },
  },
  {
    method: 'POST',
    path: '/v1/tools/:id/call',
    command: 'tools.call',
    summary: 'Calls a tool. The body is its input.',
    headers: ['Idempotency-Key', 'Prefer', 'Surehand-Notify'],
    body: {
      schema: () => z.record(z.string(), z.unknown()),
      example: { productId: 'tea', quantity: 22 },
    },
    returns: 'call',
    handle: (context, caller, surface) => callTool(context, caller, surface),
  },
]

type ToolIndex = {
  readonly byId: ReadonlyMap<string, Tool>
  /** In the order in which they are listed. */
  readonly ids: readonly string[]
}

// The registry returns the same list until a tool is added or changed: thousands of tools are not
// sorted for every page.
const indexes = new WeakMap<readonly Tool[], ToolIndex>()

function indexOf(tenant: string, runtime: Runtime): ToolIndex {
  const tools = runtime.tools(tenant)
  const known = indexes.get(tools)
  if (known !== undefined) return known
  const byId = new Map(tools.map((one) => [one.id, one]))
  const fresh = { byId, ids: [...byId.keys()].sort() }
  indexes.set(tools, fresh)
  return fresh
}

function listTools(
  runtime: Runtime,
  caller: Caller,
  { category, limit, after }: PageRequest & { readonly category: string | undefined },
): Page<ToolDefinition> {
  const { byId, ids } = indexOf(caller.tenant, runtime)
  const { getTool } = discoverTools(runtime, caller)
  const found: ToolDefinition[] = []
  for (let index = after === undefined ? 0 : countUpTo(ids, after); index < ids.length; index++) {
    const id = ids[index] ?? ''
    if (category !== undefined && byId.get(id)?.category !== category) continue
    const definition = getTool(id)
    if (definition !== null) found.push(definition)
    if (found.length > limit) break
  }
  return toPage(found, limit, ({ id }) => id)
}

/** How many of the sorted ids come before this one, or are it. */
function countUpTo(ids: readonly string[], id: string): number {
  let [low, high] = [0, ids.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ids[middle] ?? '') <= id) low = middle + 1
    else high = middle
  }
  return low
}

const contracts = new WeakMap<Tool, object>()

/**
 * The definition, with the parts of the contract that clients need and that definitions (document
 * 004) have no field for.
 */
function withContract(definition: ToolDefinition, tenant: string, runtime: Runtime): object {
  const described = indexOf(tenant, runtime).byId.get(definition.id)
  if (described === undefined) return definition
  const surehand = contracts.get(described) ?? contractView(described)
  contracts.set(described, surehand)
  return { ...definition, surehand }
}

function contractView(described: Tool): object {
  const { effect, reversible, approval, sensitive, from_caller } = describe(described)
  return { effect, reversible, approval, sensitive, from_caller, wants_key: wantsKey(described) }
}

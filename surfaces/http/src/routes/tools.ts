import { type Caller, type Runtime, type Tool, ToolError } from '@surehand/core'
import { countUpTo, describe, wantsKey } from '@surehand/core/host'
import { type Page, type PageRequest, toPage } from '@surehand/core/ports'
import {
  discoverTools,
  isForRole,
  type SearchOptions,
  type ToolDefinition,
} from '@surehand/documents'
import { SearchResultSchema, ToolSchema } from '@surehand/edge/api'
import { z } from 'zod'
import { callTool, paceListing } from '../call-tool.ts'
import { PAGE_FIELDS, pageReturned, pageView, readPage } from '../paging.ts'
import { parseQuery } from '../parse-request.ts'
import type { Documented, Route } from '../route.ts'

const Flag = z.enum(['true', 'false'])
const As = z.enum(['me', 'agent']).default('me').describe('agent: as an agent of yours sees it.')
const ListQuery = z.strictObject({
  category: z.string().exactOptional(),
  role: z
    .enum(['user', 'power_user', 'admin', 'developer', 'ai_agent'])
    .exactOptional()
    .describe('Only the tools that are for this role, or for one that it includes.'),
  include_deprecated: Flag.default('true').describe('false leaves out deprecated tools.'),
  as: As,
  ...PAGE_FIELDS,
})
const SearchQuery = z.strictObject({
  q: z.string().min(1).max(400).describe('Words, or what the tool is to do.'),
  category: z.string().exactOptional(),
  permission: z
    .string()
    .exactOptional()
    .describe('Only the tools that need this capability, as in habit.read.'),
  security_level: z.enum(['public', 'internal', 'confidential', 'restricted']).exactOptional(),
  include_deprecated: Flag.default('false').describe('true finds deprecated tools as well.'),
  as: As,
  ...PAGE_FIELDS,
  limit: PAGE_FIELDS.limit.default(20),
})

export const TOOL_EXAMPLE = {
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
}
const tool: Documented = { schema: () => ToolSchema, example: TOOL_EXAMPLE }

/** Listing, searching and calling tools. */
export const toolRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/tools',
    command: 'tools.list',
    summary: 'Lists the tools that you may use, by their ids.',
    query: ListQuery,
    returns: pageReturned(tool),
    async handle(context, caller, surface) {
      const { category, role, include_deprecated, as, ...query } = parseQuery(context, ListQuery)
      const wanted = {
        category,
        role,
        deprecated: include_deprecated === 'true' ? 'included' : 'left out',
        ...readPage('tools.list', query),
      } as const
      const pace = paceListing(context, caller, surface)
      const page = await listTools(
        { runtime: surface.runtime, caller: seenAs(caller, as), pace },
        wanted,
      )
      return pageView('tools.list', page)
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
      if (found === null) throw toolNotFound(id)
      return withContract(found, findTool(found, caller, runtime))
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
    async handle(context, person, { runtime }) {
      const { q, category, permission, security_level, include_deprecated, as, ...query } =
        parseQuery(context, SearchQuery)
      const caller = seenAs(person, as)
      // The cast is safe: an unknown category finds nothing.
      const options = {
        ...(category === undefined ? {} : { category_filter: [category] }),
        ...(permission === undefined ? {} : { permission_filter: [permission] }),
        ...(security_level === undefined ? {} : { security_level }),
        include_deprecated: include_deprecated === 'true',
      } as SearchOptions
      const { limit, after = '0' } = readPage('tools.search', query)
      const from = Number(after)
      await runtime.ready(caller.tenant, q)
      const found = discoverTools(runtime, caller).searchTools(q, options).slice(from)
      return pageView(
        'tools.search',
        toPage(found, limit, () => String(from + limit)),
        (result) => ({
          ...result,
          tool: withContract(result.tool, findTool(result.tool, caller, runtime)),
        }),
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

export function toolNotFound(id: string): ToolError {
  return new ToolError(
    'TOOL_NOT_FOUND',
    `There is no tool "${id}", or you may not use it. GET /v1/tools lists the tools that you may use.`,
  )
}

// An agent has no more rights than the person whom it acts for.
function seenAs(caller: Caller, as: z.output<typeof As>): Caller {
  return as === 'agent' && caller.actor === 'user' ? { ...caller, actor: 'ai_agent' } : caller
}

type Listing = {
  readonly runtime: Runtime
  readonly caller: Caller
  readonly pace: () => Promise<void> | undefined
}

type ListedTools = PageRequest & {
  readonly category: string | undefined
  readonly role: z.output<typeof ListQuery>['role']
  readonly deprecated: 'included' | 'left out'
}

async function listTools(
  { runtime, caller, pace }: Listing,
  { category, role, deprecated, limit, after }: ListedTools,
): Promise<Page<Buffer>> {
  const visible = await runtime.visibleTools(caller)
  const { getTool } = discoverTools(runtime, caller)
  const found: { readonly id: string; readonly written: Buffer }[] = []
  for (let index = after === undefined ? 0 : countUpTo(visible, after); ; index++) {
    const listed = visible[index]
    if (listed === undefined || found.length > limit) break
    if (category !== undefined && listed.category !== category) continue
    if (role !== undefined && !isForRole(listed, role)) continue
    await pace()
    const definition = getTool(listed.id)
    if (definition === null) continue
    if (deprecated === 'left out' && definition.deprecated_at !== undefined) continue
    found.push({ id: listed.id, written: writeTool(listed, definition) })
  }
  const { items, next } = toPage(found, limit, ({ id }) => id)
  return { items: items.map(({ written: item }) => item), next }
}

type Written = { readonly definition: ToolDefinition; readonly bytes: Buffer }

// A tool does not change; its definition does, by a new date or a deprecation.
const written = new WeakMap<Tool, Written>()

function writeTool(tool: Tool, definition: ToolDefinition): Buffer {
  const known = written.get(tool)
  if (known?.definition === definition) return known.bytes
  const bytes = Buffer.from(JSON.stringify(withContract(definition, tool)))
  written.set(tool, { definition, bytes })
  return bytes
}

const contracts = new WeakMap<Tool, object>()

/**
 * The definition, with the parts of the contract that clients need and that definitions (document
 * 004) have no field for.
 */
export function withContract(definition: ToolDefinition, described: Tool | undefined): object {
  if (described === undefined) return definition
  const surehand = contracts.get(described) ?? contractView(described)
  contracts.set(described, surehand)
  return { ...definition, surehand }
}

function findTool(
  { id }: ToolDefinition,
  { tenant }: Caller,
  { registry }: Runtime,
): Tool | undefined {
  return registry.of(tenant).find(id)
}

function contractView(described: Tool): object {
  const { effect, reversible, approval, sensitive, from_caller } = describe(described)
  return { effect, reversible, approval, sensitive, from_caller, wants_key: wantsKey(described) }
}

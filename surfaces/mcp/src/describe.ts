import type { Tool as McpTool } from '@modelcontextprotocol/server'
import type { Tool } from '@surehand/core'
import { definitionHash, modelInputSchema, wireName } from '@surehand/core/host'

export const VERSION_META = 'surehand/version'
export const HASH_META = 'surehand/definitionHash'

const described = new WeakMap<Tool, McpTool>()

/** A tool as MCP lists it; made when somebody first looks. */
export function describe(tool: Tool): McpTool {
  const known = described.get(tool)
  if (known !== undefined) return known
  const fresh = describeAnew(tool)
  described.set(tool, fresh)
  return fresh
}

function describeAnew(tool: Tool): McpTool {
  const output = outputSchemaOf(tool)
  return {
    name: wireName(tool.id),
    title: tool.title,
    description: tool.description,
    // erased: defineTool refuses inputs that are no objects
    inputSchema: modelInputSchema(tool) as McpTool['inputSchema'],
    ...(output === undefined ? {} : { outputSchema: output }),
    annotations: annotationsOf(tool),
    _meta: { [VERSION_META]: tool.version, [HASH_META]: definitionHash(tool) },
  }
}

/** Only objects: a 2025 client refuses any other structured content. */
export function outputSchemaOf(tool: Tool): McpTool['outputSchema'] {
  const schema = tool.output.toJson('output')
  return schema.type === 'object' ? (schema as McpTool['outputSchema']) : undefined
}

// hints for a client's own interface; the contract is kept whatever a client makes of them
function annotationsOf({ title, contract, ports }: Tool): McpTool['annotations'] {
  return {
    title,
    readOnlyHint: !contract.isWrite,
    destructiveHint: contract.isWrite && !contract.reversible,
    idempotentHint: !contract.isWrite || typeof contract.idempotency === 'function',
    openWorldHint: ports.size > 0,
  }
}

import type { Tool as McpTool } from '@modelcontextprotocol/server'
import type { Tool } from '@surehand/core'
import { modelInputSchema, wireName } from '@surehand/core/host'

const descriptions = new WeakMap<Tool, McpTool>()

/** A tool as MCP lists it; created when it is first listed. */
export function describe(tool: Tool): McpTool {
  const known = descriptions.get(tool)
  if (known !== undefined) return known
  const fresh = createDescription(tool)
  descriptions.set(tool, fresh)
  return fresh
}

function createDescription(tool: Tool): McpTool {
  // Without an output schema: a client of 2025 throws where a tool that has one answers that it
  // waits, and a policy may make any tool wait after the client has cached the list.
  return {
    name: wireName(tool.id),
    title: tool.title,
    description: tool.description,
    // The cast is safe: `defineTool` refuses inputs that are not objects.
    inputSchema: modelInputSchema(tool) as McpTool['inputSchema'],
    annotations: annotationsOf(tool),
  }
}

// Hints for the client's user interface; the runtime enforces the contract in any case.
function annotationsOf({ contract, ports }: Tool): McpTool['annotations'] {
  return {
    readOnlyHint: !contract.isWrite,
    destructiveHint: contract.isWrite && !contract.reversible,
    idempotentHint: !contract.isWrite || typeof contract.idempotency === 'function',
    openWorldHint: ports.size > 0,
  }
}

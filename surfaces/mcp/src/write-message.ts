import type { Tool as McpTool } from '@modelcontextprotocol/server'

const texts = new WeakMap<McpTool, string>()

/** A listed tool as JSON, written once: `describe` returns the same object for the same tool. */
export function writeTool(tool: McpTool): string {
  const known = texts.get(tool)
  if (known !== undefined) return known
  const fresh = JSON.stringify(tool)
  texts.set(tool, fresh)
  return fresh
}

// Taken for the list while the rest is written. Within a string its quotes would be escaped.
const PLACE = '"tools":"\\u0000"'

/**
 * The answer to a request as JSON. A page of tools is joined from what was written of each tool:
 * writing 250 of them anew holds up all other requests ten times as long.
 */
export function writeResult(id: string | number | null, result: object): string {
  const { tools } = result as { readonly tools?: readonly McpTool[] }
  if (!Array.isArray(tools)) return JSON.stringify({ jsonrpc: '2.0', id, result })
  const text = JSON.stringify({ jsonrpc: '2.0', id, result: { ...result, tools: '\u0000' } })
  return text.replace(PLACE, () => `"tools":[${tools.map(writeTool).join(',')}]`)
}

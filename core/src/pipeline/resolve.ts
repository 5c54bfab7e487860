import type { CallRequest } from '../call/request.ts'
import { ToolError } from '../call/tool-error.ts'
import type { Tool } from '../define/tool.ts'
import { tighten } from '../registry/policy.ts'
import type { Parts } from './parts.ts'

/** Finds the tool for this tenant, as its policy allows it. */
export function resolve(request: CallRequest, parts: Parts): Tool {
  const tool = parts.registry.find(request.tool)
  if (tool === undefined) throw notFound(request.tool, parts)
  const policy = parts.policyOf(request.caller.tenant)
  return policy === undefined ? tool : tighten(tool, policy)
}

function notFound(name: string, parts: Parts): ToolError {
  const similar = parts.registry.similar(name)
  const hint = similar.length === 0 ? 'Search for it by what it does.' : `Did you mean ${similar.join(' or ')}?`
  return new ToolError('TOOL_NOT_FOUND', `There is no tool called "${name}".`, { details: { tool: name, similar }, suggestions: [hint] })
}

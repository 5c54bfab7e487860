import type { CallRequest } from '../call/request.ts'
import { ToolError } from '../call/tool-error.ts'
import type { Tool } from '../define/tool.ts'
import { tighten } from '../registry/policy.ts'
import type { Deprecation, Registry } from '../registry/registry.ts'
import type { PipelineContext } from './parts.ts'

/** Finds the tool for this tenant, as its policy allows it. */
export function resolve(request: CallRequest, parts: PipelineContext): Tool {
  const registry = parts.registryOf(request.caller.tenant)
  const named = registry.find(request.tool)
  if (named === undefined) throw notFound(request.tool, registry)
  const held = registry.held(named.id)
  if (held !== undefined) throw heldBack(named.id, held)
  // what was begun is ended by the tool it was begun with
  const tool = request.resumes === undefined ? successor(named, parts) : named
  const policy = parts.policyOf(request.caller.tenant)
  return policy === undefined ? tool : tighten(tool, policy)
}

// a deprecated tool runs with a warning, then its replacement runs in its place, then it refuses
function successor(tool: Tool, parts: PipelineContext): Tool {
  const deprecation = parts.registry.deprecation(tool.id)
  if (deprecation === undefined) return tool
  const now = parts.clock.now()
  if (deprecation.disableFrom !== undefined && now >= deprecation.disableFrom)
    throw deprecated(deprecation)
  if (
    deprecation.redirectFrom === undefined ||
    deprecation.replacement === undefined ||
    now < deprecation.redirectFrom
  )
    return tool
  return parts.registry.find(deprecation.replacement) ?? tool
}

function deprecated({ toolId, replacement, message }: Deprecation): ToolError {
  return new ToolError('TOOL_DEPRECATED', message, {
    details: { tool: toolId, replacement: replacement ?? null },
    ...(replacement === undefined ? {} : { suggestions: [`Call ${replacement} instead.`] }),
  })
}

function heldBack(tool: string, held: string): ToolError {
  return new ToolError('TOOL_TEMPORARILY_DISABLED', `${tool} is held back: ${held}`, {
    details: { tool, source_code: 'QUARANTINED' },
    suggestions: ['Tell an administrator: somebody has to look at what changed, and accept it.'],
  })
}

function notFound(name: string, registry: Registry): ToolError {
  const similar = registry.similar(name)
  const hint =
    similar.length === 0
      ? 'Search for it by what it does.'
      : `Did you mean ${similar.join(' or ')}?`
  return new ToolError('TOOL_NOT_FOUND', `There is no tool called "${name}".`, {
    details: { tool: name, similar },
    suggestions: [hint],
  })
}

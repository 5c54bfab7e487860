import type { CallRequest } from '../call/request.ts'
import { ToolError } from '../call/tool-error.ts'
import type { Tool } from '../define/tool.ts'
import { tighten } from '../registry/policy.ts'
import type { Deprecation, Registry } from '../registry/registry.ts'
import type { PipelineContext } from './context.ts'

/** Finds the tool, and tightens its contract by the tenant's policy. */
export function resolve(request: CallRequest, context: PipelineContext): Tool {
  const registry = context.registryOf(request.caller.tenant)
  const named = registry.find(request.tool)
  if (named === undefined) throw notFoundError(request.tool, registry)
  const held = registry.quarantineReason(named.id)
  if (held !== undefined) throw quarantinedError(named.id, held)
  // A call that has begun is finished by the version it began with.
  const tool = request.resumes === undefined ? followDeprecation(named, context) : named
  const policy = context.policyOf(request.caller.tenant)
  return policy === undefined ? tool : tighten(tool, policy)
}

// A deprecated tool first runs with a warning, later its replacement runs instead, and finally it
// refuses.
function followDeprecation(tool: Tool, context: PipelineContext): Tool {
  const deprecation = context.registry.deprecation(tool.id)
  if (deprecation === undefined) return tool
  const now = context.clock.now()
  if (deprecation.disableFrom !== undefined && now >= deprecation.disableFrom)
    throw deprecatedError(deprecation)
  if (
    deprecation.redirectFrom === undefined ||
    deprecation.replacement === undefined ||
    now < deprecation.redirectFrom
  )
    return tool
  return context.registry.find(deprecation.replacement) ?? tool
}

function deprecatedError({ toolId, replacement, message }: Deprecation): ToolError {
  return new ToolError('TOOL_DEPRECATED', message, {
    details: { tool: toolId, replacement: replacement ?? null },
    ...(replacement === undefined ? {} : { suggestions: [`Call ${replacement} instead.`] }),
  })
}

function quarantinedError(tool: string, held: string): ToolError {
  return new ToolError('TOOL_TEMPORARILY_DISABLED', `${tool} is quarantined: ${held}`, {
    details: { tool, source_code: 'QUARANTINED' },
    suggestions: ['Ask an administrator to review the change and accept it.'],
  })
}

function notFoundError(name: string, registry: Registry): ToolError {
  const similar = registry.similar(name)
  const hint =
    similar.length === 0
      ? 'Search for a tool by what it does.'
      : `Did you mean ${similar.join(' or ')}?`
  return new ToolError('TOOL_NOT_FOUND', `There is no tool called "${name}".`, {
    details: { tool: name, similar },
    suggestions: [hint],
  })
}

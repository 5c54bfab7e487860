import type { Call } from '../call/call.ts'
import { ToolError } from '../call/tool-error.ts'
import { missingRights } from '../permissions/missing-rights.ts'
import type { PipelineContext } from './parts.ts'

/** Who calls, and by what right: sign-in, roles, capabilities with their scopes and conditions, clearance, resources, rules. */
export function authorize(call: Call, parts: PipelineContext): void {
  if (call.isShutOut)
    throw new ToolError(
      'TOOL_INSUFFICIENT_PERMISSIONS',
      `${call.caller.principal} may do nothing any more, so ${call.tool.id} was not driven on.`,
    )
  if (call.tool.contract.permissionCheck !== 'required') return
  const missing = missingRights(call, parts.scheme)
  if (missing === undefined) return
  throw new ToolError(missing.code, missing.message, {
    details: missing.details,
    suggestions: missing.suggestions,
  })
}

import { ToolError } from '../call/tool-error.ts'
import type { Call } from '../ledger/call.ts'
import { missingRights } from '../permissions/explain-permissions.ts'
import type { PipelineContext } from './context.ts'

/**
 * Checks the caller's rights: sign-in, roles, capabilities with their scopes and conditions,
 * clearance, resources, rules.
 */
export function authorize(call: Call, context: PipelineContext): void {
  if (call.isRevoked)
    throw new ToolError(
      'TOOL_INSUFFICIENT_PERMISSIONS',
      `${call.caller.principal} no longer has any rights, so ${call.tool.id} was not continued.`,
    )
  if (call.tool.contract.permissionCheck !== 'required') return
  const missing = missingRights(call, context.scheme)
  if (missing === undefined) return
  throw new ToolError(missing.code, missing.message, {
    details: missing.details,
    suggestions: missing.suggestions,
  })
}

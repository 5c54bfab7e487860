import { ToolError } from '../call/tool-error.ts'
import type { Call } from '../ledger/call.ts'
import { mayUse } from '../permissions/access.ts'
import { explainRefusal } from '../permissions/explain-permissions.ts'
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
  if (call.tool.contract.permissionCheck !== 'required' || mayUse(call, context.scheme)) return
  const { code, message, details, suggestions } = explainRefusal(call, context.scheme)
  throw new ToolError(code, message, { details, suggestions })
}

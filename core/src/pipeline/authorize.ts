import type { Call } from '../call/call.ts'
import { ToolError } from '../call/tool-error.ts'
import { missingRights } from '../registry/permissions.ts'
import type { Parts } from './parts.ts'

/** Identity alone: roles, capabilities, authentication level. Nothing here depends on the moment. */
export function authorize(call: Call, parts: Parts): void {
  const missing = missingRights(call.tool, call.caller, parts.scheme)
  if (missing === undefined) return
  throw new ToolError(missing.code, missing.message, { details: missing.details, suggestions: missing.suggestions })
}

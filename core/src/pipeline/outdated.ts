import type { Call } from '../call/call.ts'
import { ToolError } from '../call/tool-error.ts'

export const ADMINISTRATION_CHANGED = 'administration_changed'

/** The claim found something administered since the call was judged: the line is walked again, and only if that never ends is this told. */
export function outdated(call: Call): ToolError {
  return new ToolError(
    'TOOL_RESOURCE_UNAVAILABLE',
    `What ${call.tool.id} may do is being changed just now; nothing was done.`,
    {
      details: { source_code: ADMINISTRATION_CHANGED, retry_after_ms: 1_000 },
      effect: 'none',
    },
  )
}

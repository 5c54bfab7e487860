import { ToolError } from '@surehand/core'
import { visibleText } from '@surehand/core/host'

/** A document nothing can be made of. */
export function refused(what: string, cause?: unknown): ToolError {
  return new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    `The OpenAPI document is refused: ${visibleText(what)}`,
    { effect: 'none', cause },
  )
}

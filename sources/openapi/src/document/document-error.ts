import { ToolError } from '@surehand/core'
import { visibleText } from '@surehand/core/host'

/** The error for a document that cannot be read at all. */
export function documentError(what: string, cause?: unknown): ToolError {
  return new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    `The OpenAPI document is refused: ${visibleText(what)}`,
    { effect: 'none', cause },
  )
}

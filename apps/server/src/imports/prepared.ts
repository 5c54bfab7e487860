import { ToolError } from '@surehand/core'

/** The workshop's own key says which document and settings it is: one name is enough within. */
export const PREPARED = 'prepared'

export function throwUnreadable(): never {
  throw new ToolError(
    // no error of the store, which takes all tools of the tenant down: where a file was damaged, the workshop prepares afresh
    'TOOL_INTERNAL_ERROR',
    'What was prepared of this source cannot be read.',
  )
}

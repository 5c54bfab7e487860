import { ToolError } from '@surehand/core'

/** The workshop's own key says which document and settings it is: one name is enough within. */
export const PREPARED = 'prepared'

export function unprepared(): never {
  throw new ToolError(
    'TOOL_STORAGE_ERROR',
    'What was prepared of this source can not be read: remove the folder "imports" from the data folder.',
  )
}

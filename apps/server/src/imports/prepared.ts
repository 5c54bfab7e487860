import { ToolError } from '@surehand/core'

/**
 * The cache key identifies the document and its settings, so one name inside the entry is enough.
 */
export const PREPARED = 'prepared'

export function throwUnreadable(): never {
  throw new ToolError(
    // Not a storage error, which would disable all tools of the tenant: a damaged file is prepared
    // again.
    'TOOL_INTERNAL_ERROR',
    'The prepared form of this source cannot be read.',
  )
}

import { ToolError } from '@surehand/core'
import { fieldName } from '@surehand/core/internal'

/** An argument that fits its schema and still can't be sent. Nothing has left the house. */
export function invalidArgument(argument: string, why: string): ToolError {
  return new ToolError('TOOL_INVALID_FIELD_VALUE', `The argument "${argument}" ${why}.`, {
    effect: 'none',
    details: {
      validation_errors: [{ field: fieldName([argument]), error: why, provided_value: null }],
    },
  })
}

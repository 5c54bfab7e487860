import { ToolError } from '@surehand/core'
import { fieldName } from '@surehand/core/internal'

/** The error for an argument that matches its schema and still cannot be sent. Nothing was sent. */
export function invalidArgument(argument: string, why: string): ToolError {
  return new ToolError('TOOL_INVALID_FIELD_VALUE', `The argument "${argument}" ${why}.`, {
    effect: 'none',
    details: {
      validation_errors: [{ field: fieldName([argument]), error: why, provided_value: null }],
    },
  })
}

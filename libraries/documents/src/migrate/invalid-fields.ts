import type { ToolErrorCode } from '@surehand/core'
import { ToolError } from '@surehand/core'
import type { Problem } from '@surehand/core/internal'

const codes: Readonly<Record<Problem['kind'], ToolErrorCode>> = {
  missing: 'TOOL_MISSING_REQUIRED_FIELD',
  type: 'TOOL_INVALID_FIELD_TYPE',
  value: 'TOOL_INVALID_FIELD_VALUE',
  unknown: 'TOOL_INVALID_INPUT',
}

/**
 * What is wrong with the arguments of a v1 call, in the form in which the runtime reports an
 * invalid input.
 */
export function invalidFields(
  tool: string,
  problems: readonly Omit<Problem, 'provided_value'>[],
): ToolError {
  const [first] = problems
  const code =
    problems.length === 1 && first !== undefined ? codes[first.kind] : 'TOOL_INVALID_INPUT'
  const sentences = problems.map(({ field, error }) => `${field} ${error}`)
  return new ToolError(code, `${tool} can't take these arguments: ${sentences.join('; ')}.`, {
    // which argument is a secret only the v2 tool's schema knows: none is shown
    details: {
      validation_errors: problems.map(({ field, error }) => ({
        field,
        error,
        provided_value: null,
      })),
    },
  })
}

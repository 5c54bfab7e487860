import type { ToolErrorCode } from '../call/errors.ts'
import { ToolError } from '../call/tool-error.ts'
import type { Problem } from './schema.ts'
import type { Tool } from './tool.ts'

const codes: Readonly<Record<Problem['kind'], ToolErrorCode>> = {
  missing: 'TOOL_MISSING_REQUIRED_FIELD',
  type: 'TOOL_INVALID_FIELD_TYPE',
  value: 'TOOL_INVALID_FIELD_VALUE',
  unknown: 'TOOL_INVALID_INPUT',
}

/** What is wrong with an input: one problem has its own code, several are TOOL_INVALID_INPUT. */
export function invalidInput(tool: Tool, problems: readonly Problem[]): ToolError {
  return invalid(`${tool.id} can't take this input`, problems)
}

/** What is wrong with the answer to a question of a run. */
export function invalidAnswer(questionId: string, problems: readonly Problem[]): ToolError {
  return invalid(`The question ${questionId} can't take this answer`, problems)
}

function invalid(what: string, problems: readonly Problem[]): ToolError {
  const [first] = problems
  const code =
    problems.length === 1 && first !== undefined ? codes[first.kind] : 'TOOL_INVALID_INPUT'
  const sentences = problems.map(
    (problem) => `${problem.field === '' ? 'the input' : problem.field} ${problem.error}`,
  )
  return new ToolError(code, `${what}: ${sentences.join('; ')}.`, {
    details: {
      validation_errors: problems.map(({ field, error, provided_value }) => ({
        field,
        error,
        provided_value,
      })),
    },
    suggestions: problems.map(suggestion),
  })
}

// What is wrong with the field stands in the message.
function suggestion(problem: Problem): string {
  const field = problem.field === '' ? 'the input' : `"${problem.field}"`
  switch (problem.kind) {
    case 'missing':
      return `Add ${field}.`
    case 'type':
    case 'value':
      return `Change ${field}.`
    case 'unknown':
      return `Leave ${field} out.`
  }
}

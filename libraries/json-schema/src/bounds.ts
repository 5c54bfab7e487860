import { ToolError } from '@surehand/core'
import { visibleText } from '@surehand/core/host'

/** How large a foreign schema may be, and how much work validating a value may take. */
export const BOUNDS = {
  depth: 32,
  subschemas: 2_000,
  // Subschemas that are evaluated against one value. `$ref` can multiply them beyond the size of
  // the document.
  branching: 10_000,
  enumValues: 10_000,
  patternLength: 4_096,
  // Instructions of one pattern, and of all patterns of a schema. Compiling takes about 5 µs for
  // each.
  patternSize: 5_000,
  patternSizes: 50_000,
  // Comparisons of one parse, 0.1 to 0.5 µs each: half a second in the worst case.
  steps: 1_000_000,
  // The same for one default with the defaults inside it, which can double at every level.
  defaultSteps: 20_000,
  // Nested evaluations of one value. The stack holds many times more.
  nesting: 512,
  problems: 50,
} as const

/** The error for a schema that cannot be used, with the place of the problem. */
export function refuseSchema(place: string, what: string): ToolError {
  const path = visibleText(place)
  return new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    `The schema is refused: ${path} ${visibleText(what)}.`,
    {
      details: { schema_path: path },
    },
  )
}

import { ToolError } from '@surehand/core'
import { visibleText } from '@surehand/core/host'

/** How large a schema of strangers may be, and how much work a value may be (RULES.md §11). */
export const BOUNDS = {
  depth: 32,
  subschemas: 2_000,
  // subschemas that look at one and the same value; more than the document has only when `$ref` multiplies them
  branching: 10_000,
  enumValues: 10_000,
  patternLength: 4_096,
  // instructions of one pattern and of all patterns of a schema: compiling takes about 5 µs each
  patternSize: 5_000,
  patternSizes: 50_000,
  // comparisons of one parse: 0.1 to 0.5 µs each, so half a second at the very worst
  steps: 1_000_000,
  // the same of a default with the defaults within it: a few levels that double make any of them endless
  defaultSteps: 20_000,
  // subschemas within subschemas while one value is looked at: the stack holds many times more
  nesting: 512,
  problems: 50,
} as const

/** A schema that can't be used, with the place that is to blame. */
export function refused(place: string, what: string): ToolError {
  const path = visibleText(place)
  return new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    `The schema is refused: ${path} ${visibleText(what)}.`,
    {
      details: { schema_path: path },
    },
  )
}

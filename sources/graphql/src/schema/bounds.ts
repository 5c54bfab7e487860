import { ToolError } from '@surehand/core'
import { visibleText } from '@surehand/core/host'

/** How large an imported schema may be, and how large the tools made from it may become. */
export const BOUNDS = {
  documentCharacters: 32 * 1024 * 1024,
  // Of a schema in SDL, before anything is made of it. GitHub's has 61,000 tokens.
  tokens: 1_000_000,
  comments: 100_000,
  types: 20_000,
  // Fields, arguments, values and members together. GitHub's schema has 12,000.
  members: 500_000,
  nameLength: 256,
  wrappers: 16,
  literalCharacters: 10_000,
  literalDepth: 16,
  flaws: 100,
  operations: 5_000,
  // Of one tool's input. Some real filter types would reach 185 KB.
  schemaBytes: 32 * 1024,
  // The validator accepts 2,000.
  subschemas: 1_500,
  inputTypes: 400,
  // An enum with more values becomes a string, and the report notes it.
  enumValues: 1_000,
  // Of all tools together: stops a document whose many operations each make a large tool.
  totalBytes: 32 * 1024 * 1024,
  toolDescription: 2_000,
  fieldDescription: 400,
} as const

/** The error for a document that cannot be read at all. */
export function refuseDocument(what: string): ToolError {
  return new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    `The GraphQL schema is refused: ${visibleText(what)}.`,
  )
}

/** Adds up counts and refuses the document once the sum exceeds the bound. */
export function createTally(most: number, what: string): (count: number) => void {
  let total = 0
  return (count) => {
    total += count
    if (total > most) throw refuseDocument(`it has more than ${most} ${what}`)
  }
}

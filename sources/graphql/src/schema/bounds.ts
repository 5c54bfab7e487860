import { ToolError } from '@surehand/core'
import { visibleText } from '@surehand/core/host'

/** How large a schema of strangers may be, and how much is made of it. */
export const BOUNDS = {
  documentCharacters: 32 * 1024 * 1024,
  types: 20_000,
  // fields, arguments, values and members together: GitHub has 12,000
  members: 500_000,
  nameLength: 256,
  wrappers: 16,
  literalCharacters: 10_000,
  literalDepth: 16,
  flaws: 100,
  operations: 5_000,
  // of one tool's input; real filters reach 185 KB
  schemaBytes: 32 * 1024,
  // the validator takes 2,000
  subschemas: 1_500,
  inputTypes: 400,
  // beyond it an enum is a text with a note
  enumValues: 1_000,
  // of all tools together: a bomb of many operations ends here
  totalBytes: 32 * 1024 * 1024,
  toolDescription: 2_000,
  fieldDescription: 400,
} as const

/** A document that can't be read at all. */
export function refusedDocument(what: string): ToolError {
  return new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    `The GraphQL schema is refused: ${visibleText(what)}.`,
  )
}

/** Counts towards a bound and refuses the document beyond it. */
export function createTally(most: number, what: string): (count: number) => void {
  let counted = 0
  return (count) => {
    counted += count
    if (counted > most) throw refusedDocument(`it has more than ${most} ${what}`)
  }
}

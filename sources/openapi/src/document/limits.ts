/**
 * Bounds for imported documents. They are counts, not times, so that the same document always gives
 * the same result.
 */
export const LIMITS = {
  documentCharacters: 64 * 1024 * 1024,
  yamlCharacters: 24 * 1024 * 1024,
  yamlDepth: 100,
  yamlAliases: 10_000,
  operations: 5_000,
  parameters: 300,
  // Schemas that are read for one component, and for the whole document.
  unitSteps: 50_000,
  documentSteps: 4_000_000,
  // The validator accepts 32 levels; the schema around it needs a few.
  schemaDepth: 24,
  // The validator accepts 2,000.
  subschemas: 1_500,
  branching: 5_000,
  places: 100_000,
  enumValues: 2_000,
  patternLength: 1_000,
  exampleLength: 200,
  referenceChain: 16,
  allOfDepth: 8,
  pathLength: 2_000,
  overlaySteps: 2_000_000,
} as const

/** How long texts of a document may be where a model reads them. */
export const TEXT_LENGTHS = { title: 120, description: 4_096, input: 600, output: 200 } as const

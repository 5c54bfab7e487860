/** What a document of strangers may ask for. Counted, never timed: the same document always ends the same way. */
export const LIMITS = {
  documentCharacters: 64 * 1024 * 1024,
  yamlCharacters: 24 * 1024 * 1024,
  yamlDepth: 100,
  yamlAliases: 10_000,
  operations: 5_000,
  parameters: 300,
  // schemas looked at for one part of a document, and for all of it
  unitSteps: 50_000,
  documentSteps: 4_000_000,
  // the validator stops at 32; what is put around a schema needs a few
  schemaDepth: 24,
  // the validator stops at 2,000
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

/** How long words of a document may be where a model reads them. */
export const WORDS = { title: 120, description: 4_096, input: 600, output: 200 } as const

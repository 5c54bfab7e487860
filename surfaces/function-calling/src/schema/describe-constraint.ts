const SENTENCES: Readonly<Record<string, (value: unknown) => string>> = {
  minLength: (value) => `At least ${value} characters.`,
  maxLength: (value) => `At most ${value} characters.`,
  pattern: (value) => `Matches the pattern ${value}.`,
  format: (value) => `Format: ${value}.`,
  minimum: (value) => `At least ${value}.`,
  maximum: (value) => `At most ${value}.`,
  exclusiveMinimum: (value) => `More than ${value}.`,
  exclusiveMaximum: (value) => `Less than ${value}.`,
  multipleOf: (value) => `A multiple of ${value}.`,
  minItems: (value) => `At least ${value} items.`,
  maxItems: (value) => `At most ${value} items.`,
  uniqueItems: () => 'Items must be unique.',
  minProperties: (value) => `At least ${value} members.`,
  maxProperties: (value) => `At most ${value} members.`,
  default: (value) => `Default: ${JSON.stringify(value)}.`,
  examples: (value) => `Examples: ${JSON.stringify(value)}.`,
  enum: (value) => `One of ${JSON.stringify(value)}.`,
  oneOf: () => 'Exactly one of these.',
}

/** A sentence for the description about a constraint that the dialect cannot express. */
export function describeConstraint(keyword: string, value: unknown): string {
  return SENTENCES[keyword]?.(value) ?? `JSON Schema ${keyword}: ${JSON.stringify(value)}.`
}

/**
 * What each vendor's parameters can express. The rules were not tested against the vendors:
 * OpenAI's come from a profile of its page of February 2026
 * (jsonschemaprofiles.unitvectorylabs.com), Google's from its reference, Anthropic's from memory.
 * Pages to compare with:
 * - OpenAI, guide "Structured model outputs", section "Supported schemas"
 *   (developers.openai.com), and the API's own refusals
 * - Anthropic, "Structured outputs", section "JSON Schema limitations", and "Strict tool use"
 *   (platform.claude.com)
 * - Google, API reference of `GenerationConfig.responseJsonSchema` and
 *   `FunctionDeclaration.parametersJsonSchema` (ai.google.dev)
 */
export type DialectName = 'openai' | 'openai-strict' | 'anthropic' | 'anthropic-strict' | 'gemini'

export type Dialect = {
  readonly name: DialectName
  /** Constraints that are supported as they are. */
  readonly keywords: ReadonlySet<string>
  /** The supported formats; undefined if any is. */
  readonly formats: ReadonlySet<string> | undefined
  /** `null`: every member is required, and an optional one is nullable. */
  readonly absentAs: 'null' | 'absent'
  /**
   * Objects have exactly the members they name: maps become lists of entries, tuples become
   * objects.
   */
  readonly isClosed: boolean
  readonly references: 'kept' | 'inlined'
  readonly mayRecur: boolean
  /**
   * How a schema for any value is written: as a definition of JSON, as an empty schema, or not at
   * all.
   */
  readonly any: 'defined' | 'empty' | 'never'
  /** The types of values that an enum may have. */
  readonly enums: ReadonlySet<string>
  /** Matches patterns that the dialect does not support. */
  readonly unsupportedPattern: RegExp
}

const FORMATS = [
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
]
const LOOK_AROUND = /\(\?<?[=!]/

/**
 * A dialect that supports only a part of JSON Schema; the plain ones of OpenAI and Anthropic accept
 * any schema with an object at its root.
 */
export type NarrowingDialectName = Exclude<DialectName, 'openai' | 'anthropic'>

export const DIALECTS: Readonly<Record<NarrowingDialectName, Dialect>> = {
  'openai-strict': {
    name: 'openai-strict',
    keywords: new Set([
      'pattern',
      'format',
      'minimum',
      'maximum',
      'exclusiveMinimum',
      'exclusiveMaximum',
      'multipleOf',
      'minItems',
      'maxItems',
    ]),
    formats: new Set(FORMATS),
    absentAs: 'null',
    isClosed: true,
    references: 'kept',
    mayRecur: true,
    any: 'defined',
    enums: new Set(['string', 'number', 'boolean']),
    unsupportedPattern: LOOK_AROUND,
  },
  'anthropic-strict': {
    name: 'anthropic-strict',
    keywords: new Set(['pattern', 'format', 'default']),
    formats: new Set([...FORMATS, 'uri']),
    absentAs: 'absent',
    isClosed: true,
    references: 'kept',
    mayRecur: false,
    any: 'never',
    enums: new Set(['string', 'number', 'boolean']),
    // The vendor also refuses large repetitions, which this expression does not detect.
    unsupportedPattern: /\(\?<?[=!]|\\[1-9]|\\[bB]/,
  },
  gemini: {
    name: 'gemini',
    keywords: new Set(['format', 'minimum', 'maximum', 'minItems', 'maxItems']),
    formats: undefined,
    absentAs: 'absent',
    isClosed: false,
    references: 'inlined',
    mayRecur: false,
    any: 'empty',
    enums: new Set(['string', 'number']),
    unsupportedPattern: /^/,
  },
}

/** The limits for all strict tools of one request to Anthropic. */
export const ANTHROPIC_STRICT_BUDGET = { tools: 20, optional: 24, unions: 16 }

export const OPENAI_STRICT_LIMITS = {
  depth: 10,
  properties: 5_000,
  enumValues: 1_000,
  characters: 120_000,
  longEnum: 250,
  longEnumCharacters: 15_000,
}

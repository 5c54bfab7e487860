/**
 * What each vendor's parameters may say. No vendor was asked: OpenAI's rules are as a profile of its page of February 2026 tells them
 * (jsonschemaprofiles.unitvectorylabs.com), Google's as its reference does, Anthropic's as we remember them. The pages to hold them against:
 * - OpenAI, guide "Structured model outputs", section "Supported schemas" (developers.openai.com), and the API's own refusals
 * - Anthropic, "Structured outputs", section "JSON Schema limitations", and "Strict tool use" (platform.claude.com)
 * - Google, API reference of `GenerationConfig.responseJsonSchema` and `FunctionDeclaration.parametersJsonSchema` (ai.google.dev)
 */
export type DialectName = 'openai' | 'openai-strict' | 'anthropic' | 'anthropic-strict' | 'gemini'

export type Dialect = {
  readonly name: DialectName
  /** Constraints that may stand as they are. */
  readonly keywords: ReadonlySet<string>
  /** Undefined: any. */
  readonly formats: ReadonlySet<string> | undefined
  /** `null`: every member is required, and one that may be left out takes null. */
  readonly absentAs: 'null' | 'absent'
  /** Objects have exactly the members they name: maps become lists of entries, tuples become objects. */
  readonly isClosed: boolean
  readonly references: 'kept' | 'inlined'
  readonly mayRecur: boolean
  /** Can a schema take just anything? */
  readonly any: 'defined' | 'empty' | 'never'
  /** Kinds of values that an enum may hold. */
  readonly enums: ReadonlySet<string>
  /** What a pattern must not use. */
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

/** A dialect that narrows; the plain ones of OpenAI and Anthropic take any schema with a plain object at its root. */
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
    // besides, large repetitions are refused, and the formats' own patterns are full of them: see keepsPattern
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

/** What a request to Anthropic may hold in strict tools, all together. */
export const ANTHROPIC_STRICT_BUDGET = { tools: 20, optional: 24, unions: 16 }

export const OPENAI_STRICT_LIMITS = {
  depth: 10,
  properties: 5_000,
  enumValues: 1_000,
  characters: 120_000,
  longEnum: 250,
  longEnumCharacters: 15_000,
}

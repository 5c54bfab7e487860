/**
 * The schemas that each vendor accepts as a tool's parameters, as far as we know. OpenAI's rules
 * agree with a profile of its page of February 2026, Google's with its reference; Anthropic's are
 * from memory. They were not tried against the real APIs. The pages to compare with:
 * - OpenAI, "Structured model outputs / Supported schemas" and the API's own refusals ("Invalid
 *   schema for function …")
 * - Anthropic, "Structured outputs / JSON Schema limitations" and "Strict tool use"
 * - Google, Gemini API reference, `GenerationConfig.responseJsonSchema` and
 *   `FunctionDeclaration.parametersJsonSchema` It is independent of our schema compilers, because
 *   it checks their output.
 */
export type SchemaRules = 'openai' | 'openai-strict' | 'anthropic' | 'anthropic-strict' | 'gemini'

type Keywords = Readonly<Record<string, unknown>>
type Found = { readonly path: string; readonly node: Keywords; readonly depth: number }

const COMMON_FORMATS = [
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

type Rules = {
  readonly keywords: ReadonlySet<string> | undefined
  readonly formats: readonly string[] | undefined
  readonly isClosed: boolean
}

const COMMON = [
  'type',
  'title',
  'description',
  'enum',
  'anyOf',
  'items',
  'properties',
  'required',
  'additionalProperties',
]
const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']
const REFERENCES = ['$ref', '$defs', 'definitions']

const RULES: Readonly<Record<SchemaRules, Rules>> = {
  openai: { keywords: undefined, formats: undefined, isClosed: false },
  anthropic: { keywords: undefined, formats: undefined, isClosed: false },
  'openai-strict': {
    keywords: new Set([
      ...COMMON,
      ...REFERENCES,
      ...NUMBERS,
      'const',
      'pattern',
      'format',
      'minItems',
      'maxItems',
    ]),
    formats: COMMON_FORMATS,
    isClosed: true,
  },
  'anthropic-strict': {
    keywords: new Set([
      ...COMMON,
      ...REFERENCES,
      'const',
      'allOf',
      'default',
      'pattern',
      'format',
      'minItems',
    ]),
    formats: [...COMMON_FORMATS, 'uri'],
    isClosed: true,
  },
  gemini: {
    keywords: new Set([
      ...COMMON,
      'format',
      'oneOf',
      'prefixItems',
      'minItems',
      'maxItems',
      'minimum',
      'maximum',
      'propertyOrdering',
    ]),
    formats: undefined,
    isClosed: false,
  },
}

const FORBIDDEN_AT_ROOT = ['oneOf', 'anyOf', 'allOf', 'enum', 'not']
const OPENAI_STRICT_DEPTH = 10
const OPENAI_STRICT_PROPERTIES = 5_000
const OPENAI_STRICT_ENUM_VALUES = 1_000
const OPENAI_STRICT_CHARACTERS = 120_000
const OPENAI_STRICT_LONG_ENUM = 250
const OPENAI_STRICT_LONG_ENUM_CHARACTERS = 15_000
export const ANTHROPIC_STRICT_OPTIONAL = 24
export const ANTHROPIC_STRICT_UNIONS = 16
const LOOK_AROUND = /\(\?<?[=!]/
const ANTHROPIC_PATTERN_NOT = /\(\?<?[=!]|\\[1-9]|\\[bB]/

/** The reasons why this vendor would refuse the schema; empty where it accepts it. */
export function findSchemaProblems(schema: unknown, vendor: SchemaRules): readonly string[] {
  if (!isRecord(schema)) return ['the parameters are no object']
  const nodes = [...walk(schema, '', 0)]
  return [
    ...rootFaults(schema),
    ...nodes.flatMap((found) => keywordFaults(found, RULES[vendor], schema)),
    ...(vendor === 'openai-strict' ? openaiStrictFaults(nodes) : []),
    ...(vendor === 'anthropic-strict' ? anthropicStrictFaults(nodes, schema) : []),
    ...(vendor === 'gemini' ? nodes.flatMap(geminiFaults) : []),
  ]
}

function rootFaults(root: Keywords): readonly string[] {
  return [
    ...(root.type === 'object'
      ? []
      : [`the root is of type ${JSON.stringify(root.type)}, not "object"`]),
    ...FORBIDDEN_AT_ROOT.filter((keyword) => keyword in root).map(
      (keyword) => `${keyword} stands at the root`,
    ),
  ]
}

function keywordFaults({ path, node }: Found, rules: Rules, root: Keywords): readonly string[] {
  const strange =
    rules.keywords === undefined
      ? []
      : Object.keys(node).filter((keyword) => !rules.keywords?.has(keyword))
  const reference = typeof node.$ref === 'string' ? referenceFaults(node, root, rules) : []
  const format =
    typeof node.format === 'string' &&
    rules.formats !== undefined &&
    !rules.formats.includes(node.format)
  return [
    ...strange.map((keyword) => `${path}: '${keyword}' is not permitted`),
    ...reference.map((what) => `${path}: ${what}`),
    ...(format ? [`${path}: '${node.format}' is not a supported format`] : []),
    ...(rules.isClosed && isObjectNode(node) && node.additionalProperties !== false
      ? [`${path}: 'additionalProperties' is required to be supplied and to be false`]
      : []),
    ...missingProperties(node).map(
      (name) => `${path}: required names "${name}", which is no property`,
    ),
  ]
}

function referenceFaults(node: Keywords, root: Keywords, rules: Rules): readonly string[] {
  const siblings = rules.isClosed ? Object.keys(node).filter((keyword) => keyword !== '$ref') : []
  return [
    ...(isRecord(resolvePointer(root, String(node.$ref)))
      ? []
      : [`$ref ${String(node.$ref)} points at nothing`]),
    ...(siblings.length === 0 ? [] : [`$ref cannot have keywords ${siblings.join(', ')}`]),
  ]
}

function missingProperties(node: Keywords): readonly string[] {
  const { required, properties } = node
  if (!Array.isArray(required) || !isRecord(properties)) return []
  return required.filter((name) => !(String(name) in properties)).map(String)
}

function openaiStrictFaults(nodes: readonly Found[]): readonly string[] {
  const properties = nodes.flatMap(({ node }) =>
    Object.keys(isRecord(node.properties) ? node.properties : {}),
  )
  const definitions = nodes.flatMap(({ node }) =>
    Object.keys(isRecord(node.$defs) ? node.$defs : {}),
  )
  const enums = nodes.map(({ node }) => (Array.isArray(node.enum) ? node.enum : []))
  const consts = nodes.flatMap(({ node }) => ('const' in node ? [node.const] : []))
  const characters = [...properties, ...definitions, ...enums.flat(), ...consts]
    .map(String)
    .join('').length
  const deepest = Math.max(...nodes.map(({ depth }) => depth))
  return [
    ...nodes.flatMap(({ path, node }) =>
      optionalProperties(node).map(
        (name) => `${path}: 'required' must hold every property, lacks '${name}'`,
      ),
    ),
    ...nodes.flatMap(({ path, node }) => patternFault(path, node, LOOK_AROUND)),
    ...nodes
      .filter(({ node }) => !hasType(node))
      .map(({ path }) => `${path}: schema must have a 'type' key`),
    ...(deepest > OPENAI_STRICT_DEPTH
      ? [`${deepest} levels of nesting exceeds limit of ${OPENAI_STRICT_DEPTH}`]
      : []),
    ...(properties.length > OPENAI_STRICT_PROPERTIES
      ? [`${properties.length} properties are too many`]
      : []),
    ...(enums.flat().length > OPENAI_STRICT_ENUM_VALUES
      ? [`${enums.flat().length} enum values are too many`]
      : []),
    ...(enums.some(isTooLongAnEnum)
      ? ['an enum of more than 250 values is longer than 15,000 characters']
      : []),
    ...(characters > OPENAI_STRICT_CHARACTERS
      ? [`${characters} characters of names and values are too many`]
      : []),
  ]
}

function isTooLongAnEnum(values: readonly unknown[]): boolean {
  return (
    values.length > OPENAI_STRICT_LONG_ENUM &&
    values.map(String).join('').length > OPENAI_STRICT_LONG_ENUM_CHARACTERS
  )
}

function hasType(node: Keywords): boolean {
  return ['type', 'anyOf', '$ref', 'enum', 'const'].some((keyword) => keyword in node)
}

function optionalProperties(node: Keywords): readonly string[] {
  const required = Array.isArray(node.required) ? node.required : []
  return isRecord(node.properties)
    ? Object.keys(node.properties).filter((name) => !required.includes(name))
    : []
}

function patternFault(path: string, node: Keywords, not: RegExp): readonly string[] {
  return typeof node.pattern === 'string' && not.test(node.pattern)
    ? [`${path}: the pattern uses what is not supported`]
    : []
}

function anthropicStrictFaults(nodes: readonly Found[], root: Keywords): readonly string[] {
  const unions = nodes.filter(
    ({ node }) => Array.isArray(node.anyOf) || Array.isArray(node.type),
  ).length
  const optional = nodes.flatMap(({ node }) => optionalProperties(node)).length
  return [
    ...nodes.flatMap(({ path, node }) => patternFault(path, node, ANTHROPIC_PATTERN_NOT)),
    ...nodes.flatMap(({ path, node }) => {
      const values = Array.isArray(node.enum) ? node.enum : 'const' in node ? [node.const] : []
      return values.some((value) => typeof value === 'object' && value !== null)
        ? [`${path}: complex types in an enum`]
        : []
    }),
    ...nodes
      .filter(
        ({ node }) => node.minItems !== undefined && node.minItems !== 0 && node.minItems !== 1,
      )
      .map(({ path }) => `${path}: minItems may be 0 or 1`),
    ...nodes
      .filter(
        ({ node }) =>
          Array.isArray(node.allOf) && node.allOf.some((part) => isRecord(part) && '$ref' in part),
      )
      .map(({ path }) => `${path}: allOf with $ref`),
    ...(isCyclic(root, root, new Set()) ? ['recursive schemas are not supported'] : []),
    ...(optional > ANTHROPIC_STRICT_OPTIONAL
      ? [`${optional} optional parameters are too many`]
      : []),
    ...(unions > ANTHROPIC_STRICT_UNIONS ? [`${unions} parameters with unions are too many`] : []),
  ]
}

// A schema is recursive where following references leads back to one that is being followed.
function isCyclic(value: unknown, root: Keywords, open: ReadonlySet<string>): boolean {
  if (Array.isArray(value)) return value.some((item) => isCyclic(item, root, open))
  if (!isRecord(value)) return false
  const { $ref: reference, $defs: _, ...rest } = value
  if (typeof reference !== 'string')
    return Object.values(rest).some((part) => isCyclic(part, root, open))
  return (
    open.has(reference) ||
    isCyclic(resolvePointer(root, reference), root, new Set([...open, reference]))
  )
}

function geminiFaults({ path, node }: Found): readonly string[] {
  const values = Array.isArray(node.enum) ? node.enum : []
  const isPlain = values.every((value) => typeof value === 'string' || typeof value === 'number')
  return isPlain ? [] : [`${path}: enum is for strings and numbers`]
}

function isObjectNode(node: Keywords): boolean {
  return (
    node.type === 'object' ||
    (Array.isArray(node.type) && node.type.includes('object')) ||
    isRecord(node.properties)
  )
}

// Depth counts nested objects and arrays, as the vendors do; unions add no level.
function* walk(node: Keywords, path: string, depth: number): Generator<Found> {
  const here = isObjectNode(node) || node.type === 'array' ? depth + 1 : depth
  yield { path: path === '' ? '(root)' : path, node, depth: here }
  for (const [keyword, value] of Object.entries(node)) {
    if (MAPS.has(keyword) && isRecord(value)) {
      for (const [name, part] of Object.entries(value))
        if (isRecord(part)) yield* walk(part, `${path}/${keyword}/${name}`, here)
    } else if (LISTS.has(keyword) && Array.isArray(value)) {
      for (const [index, part] of value.entries())
        if (isRecord(part)) yield* walk(part, `${path}/${keyword}/${index}`, here)
    } else if (SINGLE.has(keyword) && isRecord(value))
      yield* walk(value, `${path}/${keyword}`, here)
  }
}

const MAPS = new Set([
  'properties',
  '$defs',
  'definitions',
  'patternProperties',
  'dependentSchemas',
])
const LISTS = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const SINGLE = new Set([
  'items',
  'additionalProperties',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
])

function resolvePointer(root: Keywords, reference: string): unknown {
  if (reference === '#') return root
  if (!reference.startsWith('#/')) return undefined
  const steps = reference.slice(2).split('/')
  return steps.reduce<unknown>((at, step) => {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
    return isRecord(at) ? at[name] : undefined
  }, root)
}

function isRecord(value: unknown): value is Keywords {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

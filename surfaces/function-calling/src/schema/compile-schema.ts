import { isRecord, type JsonSchema } from '@surehand/core/internal'
import { compileNode, compileNormalized } from './compile-node.ts'
import { type Compiled, type CompileContext, extraNames, type Loss, InexpressibleError } from './compile-context.ts'
import { ANTHROPIC_STRICT_BUDGET, DIALECTS, type DialectName, type NarrowingDialectName } from './dialect.ts'
import { express } from './express.ts'
import { exceededOpenaiLimit, measureSchema } from './limits.ts'
import { isSame, type Plan, type Translation, SAME } from './plan.ts'
import { restore } from './restore.ts'

export type CompiledSchema = {
  /** The parameters as the vendor takes them. */
  readonly schema: JsonSchema
  /** What could not be said; it stands in the descriptions, and the tool's own schema still judges it. */
  readonly losses: readonly Loss[]
  /** The dialect it came out in: the plain one where the strict one can't say this schema at all. */
  readonly dialect: DialectName
  /** Are values the same in both? Then a text needs no parsing on its way to the runtime. */
  readonly isSame: boolean
  /** A value as a model sent it, as the original schema knows it. */
  readonly restore: (value: unknown) => unknown
  /** A value of the original as a model would send it. */
  readonly express: (value: unknown) => unknown
}

/** A tool's input schema in a vendor's dialect. */
export function compileSchema(schema: JsonSchema, dialect: DialectName): CompiledSchema {
  switch (dialect) {
    case 'openai':
    case 'anthropic':
      return compilePlain(schema, dialect, [])
    case 'gemini':
      return compileNarrow(schema, dialect)
    case 'openai-strict':
    case 'anthropic-strict':
      return compileStrict(schema, dialect)
  }
}

// strict is all or nothing a tool: what it can't say is offered without, and says so
function compileStrict(schema: JsonSchema, dialect: 'openai-strict' | 'anthropic-strict'): CompiledSchema {
  const without = dialect === 'openai-strict' ? 'openai' : 'anthropic'
  try {
    const compiled = compileNarrow(schema, dialect)
    const tooMuch =
      dialect === 'openai-strict'
        ? exceededOpenaiLimit(compiled.schema)
        : exceededAnthropicLimit(compiled.schema)
    if (tooMuch === undefined) return compiled
    return compilePlain(schema, without, [
      { path: '', keyword: 'strict', why: `Offered without strict: ${tooMuch}.` },
    ])
  } catch (thrown) {
    if (!(thrown instanceof InexpressibleError)) throw thrown
    const { path, keyword, why } = thrown.loss
    return compilePlain(schema, without, [{ path, keyword, why: `Offered without strict: ${why}` }])
  }
}

function exceededAnthropicLimit(schema: JsonSchema): string | undefined {
  const { optional, unions } = measureSchema(schema)
  if (optional > ANTHROPIC_STRICT_BUDGET.optional)
    return `it has ${optional} optional members, ${ANTHROPIC_STRICT_BUDGET.optional} are taken`
  return unions > ANTHROPIC_STRICT_BUDGET.unions
    ? `it has ${unions} unions, ${ANTHROPIC_STRICT_BUDGET.unions} are taken`
    : undefined
}

function compileNarrow(original: JsonSchema, name: NarrowingDialectName): CompiledSchema {
  const at: CompileContext = {
    node: compileNode,
    normal: compileNormalized,
    dialect: DIALECTS[name],
    root: original,
    names: extraNames(original),
    losses: [],
    definitions: new Map(),
    open: [],
    count: { nodes: 0 },
  }
  const top = asObject(compileNode(original, '', at), at)
  const definitions = [...at.definitions.values()].flatMap(({ name: defined, compiled }) =>
    compiled === undefined ? [] : [[defined, compiled] as const],
  )
  const $defs = Object.fromEntries(
    definitions.map(([defined, compiled]) => [defined, compiled.schema]),
  )
  const schema = definitions.length === 0 ? top.schema : { ...top.schema, $defs }
  const plans = new Map(definitions.map(([defined, compiled]) => [defined, compiled.plan]))
  const book: Translation = {
    plan: top.plan,
    definitions: plans,
    compiledRoot: schema,
    originalRoot: original,
  }
  return { ...createTranslators(book), schema, losses: at.losses, dialect: name }
}

// every vendor wants a plain object at the root: anything else becomes the one member of one
function asObject(top: Compiled, at: CompileContext): Compiled {
  if (top.schema.type === 'object') return top
  const properties = { [at.names.input]: top.schema }
  const schema = {
    type: 'object',
    properties,
    required: [at.names.input],
    additionalProperties: false,
  }
  return { schema, plan: { kind: 'wrapped', name: at.names.input, inside: top.plan } }
}

function createTranslators(book: Translation): Pick<CompiledSchema, 'isSame' | 'restore' | 'express'> {
  return {
    isSame: isSame(book.plan, book.definitions),
    restore: (value) => restore(book, value),
    express: (value) => express(book, value),
  }
}

const NOT_AT_ROOT = ['oneOf', 'anyOf', 'allOf', 'enum', 'not', '$ref']

// the plain dialects hint rather than force, and read any JSON Schema; only its root must be a plain object
function compilePlain(
  original: JsonSchema,
  dialect: 'openai' | 'anthropic',
  losses: readonly Loss[],
): CompiledSchema {
  const { $schema: _, ...schema } = original
  const isPlain = schema.type === 'object' && !NOT_AT_ROOT.some((keyword) => keyword in schema)
  const { input } = extraNames(original)
  const plan: Plan = isPlain ? SAME : { kind: 'wrapped', name: input, inside: SAME }
  const book: Translation = {
    plan,
    definitions: new Map(),
    compiledRoot: schema,
    originalRoot: original,
  }
  const shown = isPlain ? withProperties(schema) : wrapSchema(schema, input)
  return { ...createTranslators(book), schema: shown, losses, dialect }
}

function withProperties(schema: JsonSchema): JsonSchema {
  return 'properties' in schema ? schema : { ...schema, properties: {} }
}

function wrapSchema(schema: JsonSchema, input: string): JsonSchema {
  const { $defs = {}, ...whole } = schema
  const moved = redirectRootReferences(whole, '#/$defs/whole') as JsonSchema
  return {
    type: 'object',
    properties: { [input]: { $ref: '#/$defs/whole' } },
    required: [input],
    $defs: { ...(redirectRootReferences($defs, '#/$defs/whole') as JsonSchema), whole: moved },
  }
}

// a schema that points at the root means what was there before
function redirectRootReferences(node: unknown, place: string): unknown {
  if (Array.isArray(node)) return node.map((part) => redirectRootReferences(part, place))
  if (!isRecord(node)) return node
  return Object.fromEntries(
    Object.entries(node).map(([keyword, part]) => [
      keyword,
      keyword === '$ref' && part === '#' ? place : redirectRootReferences(part, place),
    ]),
  )
}

import { isRecord, type JsonSchema } from '@surehand/core/internal'
import {
  type CompileContext,
  type Compiled,
  extraNames,
  InexpressibleError,
  type Loss,
} from './compile-context.ts'
import { compileNode, compileNormalized } from './compile-node.ts'
import {
  ANTHROPIC_STRICT_BUDGET,
  DIALECTS,
  type DialectName,
  type NarrowingDialectName,
} from './dialect.ts'
import { exceededOpenaiLimit, measureSchema } from './limits.ts'
import { matchesSchema } from './matches-schema.ts'
import { type Branch, isSame, type Plan, SAME, type Translation } from './plan.ts'
import { restore } from './restore.ts'

export type CompiledSchema = {
  /** The parameters in the vendor's dialect. */
  readonly schema: JsonSchema
  /**
   * The constraints that the dialect cannot express; they are added to the descriptions, and the
   * runtime checks them.
   */
  readonly losses: readonly Loss[]
  /** The dialect that was used: the plain one if the strict one cannot express this schema. */
  readonly dialect: DialectName
  /**
   * Whether values are the same in both schemas, so that a text need not be parsed before it is
   * passed to the runtime.
   */
  readonly isSame: boolean
  /** Translates a value that a model sent to the original schema. */
  readonly restore: (value: unknown) => unknown
  /** Translates a value of the original schema to the form in which a model sends it. */
  readonly express: (value: unknown) => unknown
}

/** Compiles a tool's input schema to a vendor's dialect. */
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

// Strict mode applies to a whole tool: a schema that it cannot express is offered without strict,
// and reported.
function compileStrict(
  schema: JsonSchema,
  dialect: 'openai-strict' | 'anthropic-strict',
): CompiledSchema {
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
    return `it has ${optional} optional members, the limit is ${ANTHROPIC_STRICT_BUDGET.optional}`
  return unions > ANTHROPIC_STRICT_BUDGET.unions
    ? `it has ${unions} unions, the limit is ${ANTHROPIC_STRICT_BUDGET.unions}`
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
  const translation: Translation = {
    plan: top.plan,
    definitions: plans,
    compiledRoot: schema,
    originalRoot: original,
  }
  return { ...createTranslators(translation), schema, losses: at.losses, dialect: name }
}

// Every vendor requires an object at the root: any other schema becomes its only member.
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

function createTranslators(
  translation: Translation,
): Pick<CompiledSchema, 'isSame' | 'restore' | 'express'> {
  return {
    isSame: isSame(translation.plan, translation.definitions),
    restore: (value) => restore(translation, value),
    express: (value) => express(translation, value),
  }
}

const NOT_AT_ROOT = ['oneOf', 'anyOf', 'allOf', 'enum', 'not', '$ref']

// The plain dialects accept any JSON Schema, because they do not enforce it; only the root must be
// a plain object.
function compilePlain(
  original: JsonSchema,
  dialect: 'openai' | 'anthropic',
  losses: readonly Loss[],
): CompiledSchema {
  const { $schema: _, ...schema } = original
  const isPlain = schema.type === 'object' && !NOT_AT_ROOT.some((keyword) => keyword in schema)
  const { input } = extraNames(original)
  const plan: Plan = isPlain ? SAME : { kind: 'wrapped', name: input, inside: SAME }
  const translation: Translation = {
    plan,
    definitions: new Map(),
    compiledRoot: schema,
    originalRoot: original,
  }
  const shown = isPlain ? withProperties(schema) : wrapSchema(schema, input)
  return { ...createTranslators(translation), schema: shown, losses, dialect }
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

// The original root moves into a definition, so that references to the root must point there.
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

/**
 * Translates a value of the original schema to the compiled one, as examples are shown to the
 * model.
 */
function express(translation: Translation, value: unknown): unknown {
  return expressValue(translation.plan, value, translation)
}

function expressValue(plan: Plan, value: unknown, translation: Translation): unknown {
  switch (plan.kind) {
    case 'same':
      return value
    case 'list':
      return Array.isArray(value)
        ? value.map((item) => expressValue(plan.items, item, translation))
        : value
    case 'object':
      return isRecord(value) ? expressObject(plan, value, translation) : value
    case 'tuple':
      return Array.isArray(value) ? expressTuple(plan, value, translation) : value
    case 'union':
      return expressValue(
        branchOf(plan.branches, value, translation)?.plan ?? SAME,
        value,
        translation,
      )
    case 'reference':
      return expressValue(translation.definitions.get(plan.to) ?? SAME, value, translation)
    case 'wrapped':
      return { [plan.name]: expressValue(plan.inside, value, translation) }
  }
}

// An open object accepts the members of other branches, so that the branch that can express all of
// them is preferred.
function branchOf(
  branches: readonly Branch[],
  value: unknown,
  translation: Translation,
): Branch | undefined {
  const possible = branches.filter(({ original }) =>
    matchesSchema(original, value, translation.originalRoot),
  )
  return (
    possible.find(({ compiled, plan }) =>
      matchesSchema(compiled, expressValue(plan, value, translation), translation.compiledRoot),
    ) ?? possible[0]
  )
}

type ObjectPlan = Extract<Plan, { kind: 'object' }>

function expressObject(
  { members, extra }: ObjectPlan,
  value: Readonly<Record<string, unknown>>,
  translation: Translation,
): unknown {
  const named = [...members].flatMap(([name, { plan, whenAbsent }]): [string, unknown][] => {
    if (Object.hasOwn(value, name)) return [[name, expressValue(plan, value[name], translation)]]
    return whenAbsent === 'null' ? [[name, null]] : []
  })
  const others = Object.entries(value).filter(([name]) => !members.has(name))
  if (extra === undefined) return Object.fromEntries([...named, ...others])
  const entries = others.map(([key, part]) => ({
    key,
    value: expressValue(extra.plan, part, translation),
  }))
  return Object.fromEntries([...named, [extra.name, entries]])
}

type TuplePlan = Extract<Plan, { kind: 'tuple' }>

function expressTuple(
  { members, rest }: TuplePlan,
  value: readonly unknown[],
  translation: Translation,
): unknown {
  const named = [...members].flatMap(([name, { plan, whenAbsent }], index): [string, unknown][] => {
    if (index < value.length) return [[name, expressValue(plan, value[index], translation)]]
    return whenAbsent === 'null' ? [[name, null]] : []
  })
  if (rest === undefined) return Object.fromEntries(named)
  const further = value
    .slice(members.size)
    .map((item) => expressValue(rest.plan, item, translation))
  return Object.fromEntries([...named, [rest.name, further]])
}

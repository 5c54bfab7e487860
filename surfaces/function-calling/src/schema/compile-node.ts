import { isRecord, type JsonSchema } from '@surehand/core/internal'
import {
  ANYTHING,
  type CompileContext,
  type Compiled,
  InexpressibleError,
  reportLoss,
} from './compile-context.ts'
import { compileList } from './compile-list.ts'
import { compileObject } from './compile-object.ts'
import { compileReference } from './compile-reference.ts'
import { describeConstraint } from './describe-constraint.ts'
import { isOfType, kindOf, sameJson } from './json-value.ts'
import { NEVER } from './merge-schemas.ts'
import { normalizeNode } from './normalize-node.ts'
import { type Branch, isSame, type Plan, SAME } from './plan.ts'
import { withConstraints } from './with-constraints.ts'

const MAX_DEPTH = 128

/**
 * Compiles one node of the original schema to the dialect, with the plan that translates values
 * back.
 */
export function compileNode(raw: unknown, path: string, at: CompileContext): Compiled {
  at.count.nodes++
  if (path.split('/').length > MAX_DEPTH * 2) return compileTooDeep(path, at)
  if (needsName(raw)) return compileReference(raw, path, at)
  return compileNormalized(normalizeNode(raw, at.root), path, at)
}

/** Compiles a node that `normalizeNode` returned. */
export function compileNormalized(node: JsonSchema, path: string, at: CompileContext): Compiled {
  if (node === NEVER) return compileNever(path, at)
  if (typeof node.$ref === 'string') return compileReference(node, path, at)
  if (Array.isArray(node.anyOf)) return compileUnion(node, path, at)
  if (Array.isArray(node.enum) || 'const' in node) return compileScalar(node, path, at)
  switch (node.type) {
    case 'object':
      return compileObject(node, path, at)
    case 'array':
      return compileList(node, path, at)
    case undefined:
      return compileAnything(node, path, at)
    default:
      return compileScalar(node, path, at)
  }
}

// Merging through a reference may lead back to the same node, so that such a node becomes a named
// definition.
function needsName(raw: unknown): raw is JsonSchema {
  if (typeof raw !== 'object' || raw === null || !('allOf' in raw)) return false
  return JSON.stringify(raw.allOf).includes('"$ref"')
}

function compileTooDeep(path: string, at: CompileContext): Compiled {
  const loss = { path, keyword: '$ref', why: 'It is nested too deeply to be written out.' }
  if (at.dialect.isClosed) throw new InexpressibleError(loss)
  reportLoss(at, loss)
  return { schema: {}, plan: SAME }
}

function compileNever(path: string, at: CompileContext): Compiled {
  reportLoss(at, {
    path,
    keyword: 'not',
    why: 'The dialect cannot express that no value is allowed here; the description says so.',
  })
  return { schema: { type: 'null', description: 'Must be null.' }, plan: SAME }
}

function compileAnything(node: JsonSchema, path: string, at: CompileContext): Compiled {
  switch (at.dialect.any) {
    case 'empty':
      return { schema: withConstraints({}, node, path, at), plan: SAME }
    case 'never':
      throw new InexpressibleError({
        path,
        keyword: 'type',
        why: 'Strict schemas need a type for every value; this value may have any type.',
      })
    case 'defined': {
      const compiled = compileReference({ $ref: ANYTHING }, path, at)
      const words = withConstraints({}, node, path, at)
      return Object.keys(words).length === 0
        ? compiled
        : { ...compiled, schema: { ...words, anyOf: [compiled.schema] } }
    }
  }
}

/** Compiles a string, a number, a boolean, null, or an enum. */
function compileScalar(node: JsonSchema, path: string, at: CompileContext): Compiled {
  const values = 'const' in node ? [node.const] : node.enum
  if (!Array.isArray(values))
    return {
      schema: withConstraints({ type: node.type }, wholeBounds(node, at), path, at),
      plan: SAME,
    }
  const possible =
    node.type === undefined ? values : values.filter((value) => isOfType(value, node.type))
  const { title, description, default: preset } = node
  const annotations = { title, description, ...(preset === undefined ? {} : { default: preset }) }
  const kinds = Object.entries(Object.groupBy(unique(possible), (value) => groupOf(value)))
  const groups = kinds.map(([kind, members = []]) => valuesOfKind(kind, members, path, at))
  const [first = { type: 'null' }] = groups
  return {
    schema: withConstraints(groups.length === 1 ? first : { anyOf: groups }, annotations, path, at),
    plan: SAME,
  }
}

function groupOf(value: unknown): string {
  const kind = kindOf(value)
  return kind === 'integer' ? 'number' : kind
}

function unique(values: readonly unknown[]): readonly unknown[] {
  return values.filter(
    (value, index) => values.findIndex((other) => sameJson(value, other)) === index,
  )
}

function valuesOfKind(
  kind: string,
  values: readonly unknown[],
  path: string,
  at: CompileContext,
): JsonSchema {
  if (kind === 'null' || (kind === 'boolean' && values.length === 2)) return { type: kind }
  const isWhole = kind === 'object' || kind === 'array'
  if (isWhole && at.dialect.isClosed)
    throw new InexpressibleError({
      path,
      keyword: 'enum',
      why: 'An object or a list cannot be a value of an enum.',
    })
  if (at.dialect.enums.has(kind)) return { type: kind, enum: values }
  reportLoss(at, {
    path,
    keyword: 'enum',
    why: `${at.dialect.name} does not support enums of type ${kind}; the description lists the values.`,
  })
  return { type: kind, description: describeConstraint('enum', values) }
}

// If a dialect has no exclusive bounds, the exclusive bound of an integer becomes the next integer
// as an inclusive bound.
function wholeBounds(node: JsonSchema, { dialect }: CompileContext): JsonSchema {
  if (
    node.type !== 'integer' ||
    dialect.keywords.has('exclusiveMinimum') ||
    !dialect.keywords.has('minimum')
  )
    return node
  const { exclusiveMinimum: above, exclusiveMaximum: below, ...rest } = node
  const least =
    typeof above === 'number'
      ? Math.max(Math.floor(above) + 1, Number(rest.minimum ?? Number.NEGATIVE_INFINITY))
      : undefined
  const most =
    typeof below === 'number'
      ? Math.min(Math.ceil(below) - 1, Number(rest.maximum ?? Number.POSITIVE_INFINITY))
      : undefined
  return {
    ...rest,
    ...(least === undefined ? {} : { minimum: least }),
    ...(most === undefined ? {} : { maximum: most }),
  }
}

/** Compiles a union. `oneOf` is treated as `anyOf`, because no dialect here distinguishes them. */
function compileUnion(node: JsonSchema, path: string, at: CompileContext): Compiled {
  const raw = (node.anyOf as readonly unknown[]).flatMap((branch) => flattenUnion(branch))
  const branches = raw.map((original, index): Branch => {
    const { schema, plan } = at.node(original, `${path}/anyOf/${index}`, at)
    return { compiled: schema, original: original as JsonSchema, plan }
  })
  const distinct = branches.filter(
    ({ compiled }, index) =>
      branches.findIndex((other) => sameJson(other.compiled, compiled)) === index,
  )
  reportAmbiguousBranches(branches, path, at)
  const [only] = distinct
  const plan: Plan = branches.every((branch) => branch.plan === SAME)
    ? SAME
    : { kind: 'union', branches }
  if (only !== undefined && distinct.length === 1)
    return { schema: withAnnotations(only.compiled, node, path, at), plan }
  return {
    schema: withConstraints({ anyOf: distinct.map(({ compiled }) => compiled) }, node, path, at),
    plan,
  }
}

function flattenUnion(branch: unknown): readonly unknown[] {
  const isPlainUnion =
    isRecord(branch) && Array.isArray(branch.anyOf) && Object.keys(branch).length === 1
  return isPlainUnion ? (branch.anyOf as readonly unknown[]).flatMap(flattenUnion) : [branch]
}

function withAnnotations(
  compiled: JsonSchema,
  node: JsonSchema,
  path: string,
  at: CompileContext,
): JsonSchema {
  const words = withConstraints({}, node, path, at)
  if (Object.keys(words).length === 0) return compiled
  return '$ref' in compiled ? { ...words, anyOf: [compiled] } : { ...compiled, ...words }
}

// Where null stands for a missing member, two objects with the same members may look the same and
// mean different things.
function reportAmbiguousBranches(
  branches: readonly Branch[],
  path: string,
  at: CompileContext,
): void {
  if (at.dialect.absentAs === 'absent') return
  const definitions = new Map(
    [...at.definitions.values()].map(({ name, compiled }) => [name, compiled?.plan ?? SAME]),
  )
  const objects = branches.filter(({ plan }) => !isSame(plan, definitions))
  const twins = objects.some((one) =>
    branches.some((other) => other !== one && mayBothFit(one.compiled, other.compiled)),
  )
  if (twins)
    reportLoss(at, {
      path,
      keyword: 'anyOf',
      why: 'Two branches have the same members: null in one may be read as a missing member of the other.',
    })
}

function mayBothFit(one: JsonSchema, other: JsonSchema): boolean {
  if ('$ref' in one || '$ref' in other || 'anyOf' in one || 'anyOf' in other) return true
  if (one.type !== other.type) return false
  if (!isRecord(one.properties) || !isRecord(other.properties)) return true
  const [mine, theirs] = [one.properties, other.properties]
  if (!sameJson(Object.keys(mine).sort(), Object.keys(theirs).sort())) return false
  return !Object.keys(mine).some((name) => areDisjoint(mine[name], theirs[name]))
}

function areDisjoint(one: unknown, other: unknown): boolean {
  if (!isRecord(one) || !isRecord(other) || !Array.isArray(one.enum) || !Array.isArray(other.enum))
    return false
  const values = other.enum
  return !one.enum.some((value) => values.includes(value))
}

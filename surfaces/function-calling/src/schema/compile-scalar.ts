import type { JsonSchema } from '@surehand/core/internal'
import {
  type CompileContext,
  type Compiled,
  InexpressibleError,
  reportLoss,
} from './compile-context.ts'
import { describeConstraint } from './describe-constraint.ts'
import { isOfType, kindOf, sameJson } from './json-value.ts'
import { SAME } from './plan.ts'
import { withConstraints } from './with-constraints.ts'

/** Compiles a string, a number, a boolean, null, or an enum. */
export function compileScalar(node: JsonSchema, path: string, at: CompileContext): Compiled {
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

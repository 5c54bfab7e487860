import { isRecord, type JsonSchema } from '@surehand/core/internal'
import { type CompileContext, type Compiled, reportLoss } from './compile-context.ts'
import { sameJson } from './json-value.ts'
import { type Branch, isSame, type Plan, SAME } from './plan.ts'
import { withConstraints } from './with-constraints.ts'

/** Compiles a union. `oneOf` is treated as `anyOf`, because no dialect here distinguishes them. */
export function compileUnion(node: JsonSchema, path: string, at: CompileContext): Compiled {
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

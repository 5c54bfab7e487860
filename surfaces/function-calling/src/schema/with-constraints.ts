import type { JsonSchema } from '@surehand/core/internal'
import { type CompileContext, reportLoss } from './compile-context.ts'
import { describeConstraint } from './describe-constraint.ts'

const HANDLED_ELSEWHERE = new Set([
  'type',
  'enum',
  'const',
  'anyOf',
  '$ref',
  'properties',
  'required',
  'additionalProperties',
  'propertyNames',
  'items',
  'prefixItems',
  'title',
  'description',
  'deprecated',
])

/**
 * Adds the constraints of a node that the dialect supports as keywords, and the others to the
 * description.
 */
export function withConstraints(
  schema: JsonSchema,
  node: JsonSchema,
  path: string,
  at: CompileContext,
): JsonSchema {
  const kept: Record<string, unknown> = {}
  const sentences: string[] = []
  for (const [keyword, value] of constraintsOf(node)) {
    if (isSupported(keyword, value, at)) kept[keyword] = value
    else if (!isImplied(keyword, value)) {
      sentences.push(describeConstraint(keyword, value))
      reportLoss(at, {
        path,
        keyword,
        why: `${at.dialect.name} does not support this constraint here; it is added to the description.`,
      })
    }
  }
  const description = [
    ...(typeof node.description === 'string' ? [node.description] : []),
    ...sentences,
  ].join(' ')
  return {
    ...(typeof node.title === 'string' ? { title: node.title } : {}),
    ...(description === '' ? {} : { description }),
    ...schema,
    ...kept,
  }
}

function constraintsOf({ allOf, ...node }: JsonSchema): readonly (readonly [string, unknown])[] {
  const leftovers = Array.isArray(allOf)
    ? allOf.flatMap((part: JsonSchema) => Object.entries(part))
    : []
  const own = Object.entries(node).filter(([keyword]) => !HANDLED_ELSEWHERE.has(keyword))
  const taken = new Set(own.map(([keyword]) => keyword))
  // A keyword can occur only once: a second pattern gets a name that no dialect supports, and goes
  // into the description.
  return [
    ...own,
    ...leftovers.map(
      ([keyword, value]) => [taken.has(keyword) ? `${keyword} ` : keyword, value] as const,
    ),
  ]
}

function isSupported(keyword: string, value: unknown, { dialect }: CompileContext): boolean {
  if (!dialect.keywords.has(keyword)) return false
  if (keyword === 'format') return dialect.formats?.has(String(value)) ?? true
  return keyword !== 'pattern' || !dialect.unsupportedPattern.test(String(value))
}

// The runtime refuses integers beyond these bounds in any case, so that they need not be mentioned.
function isImplied(keyword: string, value: unknown): boolean {
  return (
    (keyword === 'minimum' && value === Number.MIN_SAFE_INTEGER) ||
    (keyword === 'maximum' && value === Number.MAX_SAFE_INTEGER)
  )
}

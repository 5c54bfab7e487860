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

/** Adds what the dialect has a word for as it is, and the rest to the description. */
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
        why: `${at.dialect.name} has no such constraint here; it is said in the description.`,
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
  // a second pattern has no place beside the first: it can only be said
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

// no JSON number that is an integer beyond these comes through the runtime, whatever a schema says
function isImplied(keyword: string, value: unknown): boolean {
  return (
    (keyword === 'minimum' && value === Number.MIN_SAFE_INTEGER) ||
    (keyword === 'maximum' && value === Number.MAX_SAFE_INTEGER)
  )
}

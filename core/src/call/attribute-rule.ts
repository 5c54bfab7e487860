export type AttributeOperator =
  | 'eq'
  | 'ne'
  | 'in'
  | 'not_in'
  | 'lt'
  | 'lte'
  | 'gt'
  | 'gte'
  | 'contains'
  | 'starts_with'
  | 'exists'

/** A rule over attributes, as data: it can stand in a token, a policy or a document. */
export type AttributeRule =
  | { readonly all: readonly AttributeRule[] }
  | { readonly any: readonly AttributeRule[] }
  | { readonly not: AttributeRule }
  | AttributeLeaf

export type AttributeLeaf = {
  readonly attribute: string
  readonly op: AttributeOperator
  readonly value?: unknown
}

export const MAX_RULE_DEPTH = 16
export const MAX_RULE_LEAVES = 200

const ATTRIBUTE =
  /^(?:caller\.(?:tenant|principal|actor|roles|session|timeZone|locale)|tool\.(?:id|category|effect|security_level|reversible)|moment\.(?:hour|weekday|date)|input(?:\.[^.]+)+)$/

/**
 * What is wrong with a rule, or undefined. A rule that cannot be evaluated must be refused, never
 * treated as true.
 */
export function ruleTrouble(rule: unknown): string | undefined {
  const leaves = { count: 0 }
  return (
    trouble(rule, 1, leaves) ??
    (leaves.count > MAX_RULE_LEAVES ? `it has more than ${MAX_RULE_LEAVES} leaves` : undefined)
  )
}

function trouble(rule: unknown, depth: number, leaves: { count: number }): string | undefined {
  if (depth > MAX_RULE_DEPTH) return `it is nested deeper than ${MAX_RULE_DEPTH}`
  if (typeof rule !== 'object' || rule === null || Array.isArray(rule))
    return 'a rule is all, any, not, or an attribute with op and value'
  const form = rule as Readonly<Record<string, unknown>>
  if (Object.hasOwn(form, 'attribute')) return leafTrouble(form, leaves)
  const [kind, ...more] = Object.keys(form)
  if (more.length > 0) return `${[kind, ...more].join(', ')} do not go together in one rule`
  if (kind === 'not') return trouble(form[kind], depth + 1, leaves)
  if (kind !== 'all' && kind !== 'any')
    return `"${kind ?? ''}" is not one of all, any, not, attribute`
  return partsTrouble(kind, form[kind], depth, leaves)
}

function partsTrouble(
  kind: 'all' | 'any',
  parts: unknown,
  depth: number,
  leaves: { count: number },
): string | undefined {
  // an empty `all` would be true for every caller
  if (!Array.isArray(parts) || parts.length === 0) return `${kind} needs a list of rules`
  for (const part of parts) {
    const found = trouble(part, depth + 1, leaves)
    if (found !== undefined) return found
    if (leaves.count > MAX_RULE_LEAVES) return undefined
  }
  return undefined
}

function leafTrouble(
  leaf: Readonly<Record<string, unknown>>,
  leaves: { count: number },
): string | undefined {
  leaves.count++
  const { attribute, op, value, ...more } = leaf
  const unknown = Object.keys(more)
  if (unknown.length > 0) return `"${unknown.join(', ')}" is not part of an attribute's rule`
  if (typeof attribute !== 'string' || !ATTRIBUTE.test(attribute))
    return `the attribute "${String(attribute)}" is not known`
  return valueTrouble(attribute, op, value)
}

function valueTrouble(attribute: string, op: unknown, value: unknown): string | undefined {
  switch (op) {
    case 'exists':
      return value === undefined ? undefined : `${attribute} exists takes no value`
    case 'eq':
    case 'ne':
    case 'contains':
      return value === undefined ? `${attribute} ${op} needs a value` : undefined
    case 'in':
    case 'not_in':
      return Array.isArray(value) ? undefined : `${attribute} ${op} needs a list`
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return typeof value === 'string' || Number.isFinite(value)
        ? undefined
        : `${attribute} ${op} needs a number or a text`
    case 'starts_with':
      return typeof value === 'string' ? undefined : `${attribute} ${op} needs a text`
    default:
      return `"${String(op)}" is not an operator`
  }
}

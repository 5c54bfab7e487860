import type { AttributeLeaf, AttributeOperator, AttributeRule } from '../call/attribute-rule.ts'
import { verdict } from './attribute-rules.ts'
import type { Attributes } from './attributes.ts'

const WORDS: Readonly<
  Record<AttributeOperator, { readonly must: string; readonly mustNot: string }>
> = {
  eq: { must: 'must be', mustNot: 'must not be' },
  ne: { must: 'must be there and not be', mustNot: 'must be' },
  in: { must: 'must be one of', mustNot: 'must not be one of' },
  not_in: { must: 'must be there and not be one of', mustNot: 'must be one of' },
  lt: { must: 'must be less than', mustNot: 'must not be less than' },
  lte: { must: 'must be at most', mustNot: 'must be more than' },
  gt: { must: 'must be more than', mustNot: 'must be at most' },
  gte: { must: 'must be at least', mustNot: 'must be less than' },
  contains: { must: 'must contain', mustNot: 'must not contain' },
  starts_with: { must: 'must begin with', mustNot: 'must not begin with' },
  exists: { must: 'must be there', mustNot: 'must not be there' },
}

/** The first leaf that stands in a rule's way, in words; undefined where nothing does. It tells what is needed, never what was found. */
export function explainRule(rule: AttributeRule, attributes: Attributes): string | undefined {
  return verdict(rule, attributes) === false ? obstacle(rule, attributes, 'must') : undefined
}

// under a `not` everything is turned round: what holds is then in the way
function obstacle(rule: AttributeRule, attributes: Attributes, wish: 'must' | 'mustNot'): string {
  if ('not' in rule) return obstacle(rule.not, attributes, wish === 'must' ? 'mustNot' : 'must')
  if (!('all' in rule) && !('any' in rule)) return leafInWords(rule, wish)
  const unwanted = wish === 'mustNot'
  const parts = 'all' in rule ? rule.all : rule.any
  const first = parts.find((part) => verdict(part, attributes) === unwanted)
  return first === undefined ? 'a rule is in the way' : obstacle(first, attributes, wish)
}

function leafInWords({ attribute, op, value }: AttributeLeaf, wish: 'must' | 'mustNot'): string {
  const words = `${attribute} ${WORDS[op][wish]}`
  return value === undefined ? words : `${words} ${listed(value)}`
}

function listed(value: unknown): string {
  return Array.isArray(value)
    ? value.map((item) => JSON.stringify(item)).join(', ')
    : JSON.stringify(value)
}

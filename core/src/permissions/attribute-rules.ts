import type { AttributeLeaf, AttributeRule } from '../call/attribute-rule.ts'
import { type Attributes, NOT_YET } from './attributes.ts'

/** Does the rule hold? A leaf over a missing attribute is false, and types are never converted. */
export function evaluate(rule: AttributeRule, attributes: Attributes): boolean {
  return verdict(rule, attributes) === true
}

/** True, false, or undefined where it hangs on an input that is not there yet. */
export function verdict(rule: AttributeRule, attributes: Attributes): boolean | undefined {
  if ('all' in rule) return joined(rule.all, attributes, false)
  if ('any' in rule) return joined(rule.any, attributes, true)
  if ('not' in rule) {
    const inner = verdict(rule.not, attributes)
    return inner === undefined ? undefined : !inner
  }
  const value = attributes(rule.attribute)
  return value === NOT_YET ? undefined : leafHolds(rule, value)
}

// one false settles `all`, one true settles `any`; otherwise doubt stays doubt
function joined(
  rules: readonly AttributeRule[],
  attributes: Attributes,
  settling: boolean,
): boolean | undefined {
  let isOpen = false
  for (const rule of rules) {
    const part = verdict(rule, attributes)
    if (part === settling) return settling
    if (part === undefined) isOpen = true
  }
  return isOpen ? undefined : !settling
}

function leafHolds({ op, value }: AttributeLeaf, found: unknown): boolean {
  if (found === undefined) return false
  switch (op) {
    case 'exists':
      return true
    case 'eq':
      return isSame(found, value)
    case 'ne':
      return !isSame(found, value)
    case 'in':
      return isAmong(found, value)
    case 'not_in':
      return !isAmong(found, value)
    case 'lt':
      return order(found, value) < 0
    case 'lte':
      return order(found, value) <= 0
    case 'gt':
      return order(found, value) > 0
    case 'gte':
      return order(found, value) >= 0
    case 'contains':
      return Array.isArray(found)
        ? isAmong(value, found)
        : typeof found === 'string' && typeof value === 'string' && found.includes(value)
    case 'starts_with':
      return typeof found === 'string' && typeof value === 'string' && found.startsWith(value)
  }
}

// numbers with numbers, texts with texts; NaN is neither before, nor after, nor the same
function order(found: unknown, value: unknown): number {
  if (typeof found === 'number' && typeof value === 'number') return found - value
  if (typeof found !== 'string' || typeof value !== 'string') return Number.NaN
  return found < value ? -1 : found > value ? 1 : 0
}

function isAmong(found: unknown, list: unknown): boolean {
  return Array.isArray(list) && list.some((value) => isSame(found, value))
}

function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null)
    return false
  if (Array.isArray(left) !== Array.isArray(right)) return false
  const leftKeys = Object.keys(left)
  if (leftKeys.length !== Object.keys(right).length) return false
  return leftKeys.every(
    (key) =>
      Object.hasOwn(right, key) &&
      isSame((left as Record<string, unknown>)[key], (right as Record<string, unknown>)[key]),
  )
}

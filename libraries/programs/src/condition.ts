import { jsonText } from '@surehand/schema-diff'
import type { Comparison, Condition } from './program-form.ts'
import { read, render, type Values } from './render.ts'

/** Whether a condition holds of what is known. */
export function conditionHolds(condition: Condition | undefined, values: Values): boolean {
  if (condition === undefined) return true
  if ('$ref' in condition) return comparisonHolds(read(condition.$ref, values), condition, values)
  if ('all' in condition) return condition.all.every((one) => conditionHolds(one, values))
  if ('any' in condition) return condition.any.some((one) => conditionHolds(one, values))
  return !conditionHolds(condition.not, values)
}

function comparisonHolds(value: unknown, comparison: Comparison, values: Values): boolean {
  if ('exists' in comparison) return (value !== null) === comparison.exists
  if ('equals' in comparison) return isSame(value, render(comparison.equals, values))
  if ('not' in comparison) return !isSame(value, render(comparison.not, values))
  if ('in' in comparison) {
    const list = render(comparison.in, values)
    return Array.isArray(list) && list.some((one) => isSame(value, one))
  }
  if ('lessThan' in comparison) return isLess(value, render(comparison.lessThan, values))
  return isLess(render(comparison.moreThan, values), value)
}

function isSame(left: unknown, right: unknown): boolean {
  return jsonText(left) === jsonText(right)
}

// what is not there is neither less nor more
function isLess(left: unknown, right: unknown): boolean {
  return typeof left === 'number' && typeof right === 'number' && left < right
}

/** The references that are there, and not null, wherever a condition holds. */
export function guardsOf(condition: Condition | undefined): readonly string[] {
  if (condition === undefined) return []
  if ('all' in condition) return condition.all.flatMap(guardsOf)
  if ('any' in condition)
    return condition.any
      .map(guardsOf)
      .reduce((left, right) => left.filter((one) => right.includes(one)))
  if (!('$ref' in condition)) return deniedBy(condition.not)
  return needsValue(condition) ? [condition.$ref] : []
}

function deniedBy(condition: Condition): readonly string[] {
  return '$ref' in condition && 'exists' in condition && !condition.exists ? [condition.$ref] : []
}

function needsValue(comparison: Comparison): boolean {
  if ('exists' in comparison) return comparison.exists
  if ('equals' in comparison) return isLiteralOtherThanNull(comparison.equals)
  return 'lessThan' in comparison || 'moreThan' in comparison
}

function isLiteralOtherThanNull(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}
